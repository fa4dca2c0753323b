//! The page itself, embedded. It is built from `page/` by `scripts/page`.

/// The type and the bytes of a file of the page.
pub(crate) fn file(name: &str) -> Option<(&'static str, &'static [u8])> {
    Some(match name {
        "" | "index.html" => ("text/html; charset=utf-8", include_bytes!("../bundle/index.html")),
        "page.js" => ("text/javascript; charset=utf-8", include_bytes!("../bundle/page.js")),
        "page.css" => ("text/css; charset=utf-8", include_bytes!("../bundle/page.css")),
        _ => return None,
    })
}
