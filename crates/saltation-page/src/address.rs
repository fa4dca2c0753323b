//! Who may ask: requests carry the token of the address, and come from the page itself.

use hyper::HeaderMap;
use hyper::header::{HOST, ORIGIN};

/// The number of random bytes of a token.
const BYTES: usize = 16;
/// The shortest token that a person may choose.
pub(crate) const SHORTEST: usize = 16;
/// The longest.
pub(crate) const LONGEST: usize = 128;

/// A token that nobody can guess.
///
/// # Errors
/// If the system gives no random numbers.
pub(crate) fn token() -> std::io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a token can stand in an address.
pub(crate) fn is_token(word: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether both texts are equal, in a time that does not depend on where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// The part of a path after the token; none if the token is another.
pub(crate) fn after_token<'p>(path: &'p str, token: &str) -> Option<&'p str> {
    let (given, rest) = path.strip_prefix('/')?.split_once('/')?;
    same(given, token).then_some(rest)
}

/// Whether a request was sent to this server by its own page, or by a program that names no page: another site cannot set these headers.
pub(crate) fn is_own(headers: &HeaderMap, port: u16) -> bool {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let text = |name| headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("?")).collect::<Vec<_>>();
    let (host, origin) = (text(HOST), text(ORIGIN));
    let host_is_own = matches!(host[..], [host] if hosts.iter().any(|own| own == host));
    let origin_is_own = match origin[..] {
        [] => true,
        [origin] => hosts.iter().any(|own| origin.strip_prefix("http://") == Some(own)),
        _ => false,
    };
    host_is_own && origin_is_own
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    #[test]
    fn only_the_whole_token_opens() {
        assert_eq!(after_token("/abcd/page.js", "abcd"), Some("page.js"));
        assert_eq!(after_token("/abcd/", "abcd"), Some(""));
        for path in ["/abc/", "/abcde/", "/abce/", "//", "/", "", "abcd/", "/abcd"] {
            assert_eq!(after_token(path, "abcd"), None, "{path}");
        }
        let (a, b) = (token().unwrap(), token().unwrap());
        assert!(is_token(&a) && a != b && a.len() == 2 * BYTES);
        assert!(!is_token("short") && !is_token("with/slash/0123456789"));
    }

    #[test]
    fn other_sites_are_refused() {
        let headers = |host: &'static str, origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            origin.into_iter().for_each(|origin| {
                headers.insert(ORIGIN, HeaderValue::from_static(origin));
            });
            headers
        };
        assert!(is_own(&headers("127.0.0.1:80", None), 80));
        assert!(is_own(&headers("localhost:80", Some("http://localhost:80")), 80));
        for (host, origin) in [
            ("evil.example:80", None),
            ("127.0.0.1:81", None),
            ("127.0.0.1:80", Some("http://evil.example")),
            ("127.0.0.1:80", Some("https://127.0.0.1:80")),
            ("127.0.0.1:80", Some("null")),
        ] {
            assert!(!is_own(&headers(host, origin), 80), "{host} {origin:?}");
        }
        assert!(!is_own(&HeaderMap::new(), 80));
    }
}
