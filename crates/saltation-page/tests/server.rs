//! The server as a page, and as someone who should not, speaks to it: by plain HTTP.

use saltation::System;
use saltation_page::{Begin, Options, Page};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A page that is served, ended with the value.
struct Served {
    port: u16,
    token: String,
    text: String,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Served {
    fn of(model: &str, folder: Option<PathBuf>) -> Served {
        let system = System::gallery(model).unwrap();
        let text = system.model().text.clone();
        let begin = Begin { name: model.to_string(), system, session: None };
        let page = Page::open(begin, Options { folder, threads: Some(2), ..Options::default() }).unwrap();
        let address = page.address();
        let rest = address.strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        let (port, token) = (port.parse().unwrap(), token.to_string());
        let ended = Arc::new(AtomicBool::new(false));
        let flag = ended.clone();
        let thread = Some(std::thread::spawn(move || page.serve(move || flag.load(Ordering::Relaxed))));
        Served { port, token, text, ended, thread }
    }

    /// The status and the reader of the rest of a reply to a request with these headers.
    fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.0\r\n{headers}Content-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        // A body that is too long is refused before it has been sent.
        let _ = stream.write_all(body);
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let status = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        while line.trim() != "" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        (status, reader)
    }

    fn own(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    fn reply(&self, method: &str, path: &str, body: &Value) -> (u16, Vec<u8>) {
        let path = format!("/{}/{path}", self.token);
        let (status, mut reader) = self.send(method, &path, &self.own(), body.to_string().as_bytes());
        let mut contents = Vec::new();
        reader.read_to_end(&mut contents).unwrap();
        (status, contents)
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, contents) = self.reply("POST", path, body);
        (status, serde_json::from_slice(&contents).unwrap())
    }

    fn begin(&self, body: &Value) -> Events {
        let mut body = body.clone();
        body["text"] = self.text.as_str().into();
        let (status, reader) =
            self.send("POST", &format!("/{}/ask", self.token), &self.own(), body.to_string().as_bytes());
        assert_eq!(status, 200);
        Events(reader)
    }

    /// The last event of a question.
    fn ask(&self, body: &Value) -> (String, Value) {
        self.begin(body).last().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let served = self.thread.take().unwrap().join();
        assert!(matches!(served, Ok(Ok(()))), "{served:?}");
    }
}

/// The events of a stream.
struct Events(BufReader<TcpStream>);

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        let (mut name, mut data) = (String::new(), Value::Null);
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(word) = line.strip_prefix("event: ") {
                name = word.to_string();
            } else if let Some(text) = line.strip_prefix("data: ") {
                data = serde_json::from_str(text).unwrap();
            } else if line.is_empty() {
                return Some((name, data));
            }
        }
    }
}

#[test]
fn strangers_are_refused() {
    let served = Served::of("bouncing-ball", None);
    let (token, own) = (served.token.clone(), served.own());
    let status = |path: &str, headers: &str| served.send("GET", path, headers, b"").0;
    assert_eq!(status(&format!("/{token}/begin"), &own), 200);
    let wrong = format!("/{}/begin", "0".repeat(token.len()));
    for path in [wrong.as_str(), "/begin", "/", &format!("/{token}"), "/../begin", &format!("//{token}/begin")] {
        assert_eq!(status(path, &own), 403, "{path}");
    }
    for headers in [
        "Host: evil.example\r\n".to_string(),
        String::new(),
        format!("{own}Origin: http://evil.example\r\n"),
        format!("{own}Origin: null\r\n"),
        format!("{own}{own}"),
    ] {
        let status = status(&format!("/{token}/begin"), &headers);
        assert!(status == 403 || status == 400, "{headers:?}: {status}");
    }
    let page = format!("{own}Origin: http://127.0.0.1:{}\r\n", served.port);
    assert_eq!(status(&format!("/{token}/begin"), &page), 200);
    assert_eq!(served.reply("GET", "nothing", &json!({})).0, 404);
    assert_eq!(served.reply("PUT", "begin", &json!({})).0, 405);
}

#[test]
fn answers_are_those_of_the_library() {
    let served = Served::of("impact-oscillator", None);
    let (status, system) = served.post("system", &json!({ "gallery": "impact-oscillator" }));
    assert_eq!((status, &system["system"]["parameters"][3]["name"]), (200, &json!("A")));
    assert_eq!(system["text"], served.text.as_str());
    let (event, found) = served
        .ask(&json!({ "id": "m", "question": "simulate", "set": { "A": 0.36 }, "start": { "x": "-r" },
        "fields": { "until": "10*pi", "path": true } }));
    assert_eq!(event, "answer", "{found}");
    let run = System::gallery("impact-oscillator").unwrap().with("A", 0.36).unwrap().from_formula("x", "-r").unwrap();
    let run = run.simulation().until(10.0 * std::f64::consts::PI).run().unwrap();
    assert_eq!(found["answer"]["end"]["state"]["x"], run.end.state["x"]);
    assert_eq!(found["command"][0], "saltation simulate impact-oscillator --set A=0.36 --start x=-r --until '10*pi'");
    let (status, curves) = served.post("curves", &json!({ "id": "m", "quantities": ["x", "gap:wall"] }));
    assert_eq!(status, 200);
    let (x, gap) = (&curves["curves"][0]["value"], &curves["curves"][1]["value"]);
    assert_eq!(x[0].as_f64().map(|x| -x), gap[0].as_f64());
    let (status, table) = served.post("rows", &json!({ "id": "m", "table": "events", "columns": ["time", "kind"] }));
    assert_eq!((status, table["columns"][0].as_array().unwrap().len()), (200, run.events.len()));
    let (status, bytes) =
        served.reply("POST", "numbers", &json!({ "id": "m", "table": "events", "columns": ["time"] }));
    assert_eq!((status, bytes.len()), (200, 8 * run.events.len()));
    assert_eq!(f64::from_le_bytes(bytes[..8].try_into().unwrap()), run.events[0].time);
    for (format, begins) in [("svg", &b"<svg"[..]), ("png", b"\x89PNG"), ("pdf", b"%PDF")] {
        let (status, picture) = served.reply("POST", "figure", &json!({ "id": "m", "format": format }));
        assert_eq!(status, 200);
        assert!(picture.windows(begins.len()).take(200).any(|part| part == begins), "{format}");
    }
}

#[test]
fn a_branch_grows_and_is_stopped_with_what_it_has() {
    let served = Served::of("impact-oscillator", None);
    let orbit = json!({ "id": "o", "question": "orbit", "fields": { "settle": 400, "period": 2 } });
    assert_eq!(served.ask(&orbit).0, "answer");
    let branch = json!({ "id": "b", "question": "continue", "from": "o",
        "fields": { "along": "A", "range": [0.34, 0.36], "step": 1e-6, "points": 1_000_000 } });
    let mut events = served.begin(&branch);
    let seen = events.find(|(name, _)| name == "part").unwrap().1;
    assert_eq!(seen["head"][0], "A");
    assert_eq!(served.post("stop", &json!({ "id": "b" })).1, json!({ "stopped": true }));
    let (name, found) = events.last().unwrap();
    assert_eq!((name.as_str(), &found["ending"]["complete"]), ("answer", &json!(false)));
    let points = found["answer"]["points"].as_array().unwrap();
    let has = |row: &Value| points.iter().any(|point| point["parameters"]["A"] == row[0] && point["period"] == row[1]);
    assert!(seen["rows"].as_array().unwrap().iter().all(has), "what was shown is kept");
    assert_eq!(served.post("stop", &json!({ "id": "b" })).1, json!({ "stopped": false }));
    // A whole branch grows to what the answer has.
    let branch =
        json!({ "id": "w", "question": "continue", "from": "o", "fields": { "along": "A", "range": [0.34, 0.36] } });
    let events: Vec<(String, Value)> = served.begin(&branch).collect();
    let (parts, last) = events.split_at(events.len() - 1);
    let rows =
        || parts.iter().filter(|(name, _)| name == "part").flat_map(|(_, part)| part["rows"].as_array().unwrap());
    let mut grown: Vec<f64> = rows().map(|row| row[0].as_f64().unwrap()).collect();
    let points = last[0].1["answer"]["points"].as_array().unwrap();
    let mut whole: Vec<f64> = points.iter().map(|point| point["parameters"]["A"].as_f64().unwrap()).collect();
    grown.sort_by(f64::total_cmp);
    whole.sort_by(f64::total_cmp);
    grown.dedup();
    whole.dedup();
    assert_eq!(grown, whole);
    let (name, curve) = served.ask(&json!({ "id": "c", "question": "curve", "from": "w", "fields": { "at": 0, "along": ["A", "omega"], "range": [0.8, 0.82] } }));
    assert_eq!(name, "answer", "{curve}");
    assert_eq!(curve["command"].as_array().unwrap().len(), 2);
}

#[test]
fn a_sweep_fills_and_ends_with_its_reader() {
    let served = Served::of("impact-oscillator", None);
    let sweep = |id: &str, points: u64| json!({ "id": id, "question": "sweep", "fields": { "along": [{ "name": "A", "range": [0.3, 0.4], "points": points }], "settle": 50, "record": 20 } });
    let events: Vec<(String, Value)> = served.begin(&sweep("s", 100)).collect();
    let rows = |table: &str| -> usize {
        let parts = events.iter().filter(|(name, part)| name == "part" && part["table"] == table);
        parts.map(|(_, part)| part["rows"].as_array().unwrap().len()).sum()
    };
    assert_eq!((rows("tasks"), rows("returns")), (100, 2000));
    let mut long = served.begin(&sweep("long", 100_000_000));
    assert!(long.next().is_some());
    drop(long);
    // Nobody reads: the computation ends, and the next sweep, which waits for it, is made.
    let began = Instant::now();
    assert_eq!(served.ask(&sweep("next", 10)).0, "answer");
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(served.post("stop", &json!({ "id": "long" })).1, json!({ "stopped": false }));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let served = Served::of("bouncing-ball", None);
    let broken = served.text.replacen("gap", "gapp", 1);
    let (status, said) = served.post("system", &json!({ "text": broken }));
    assert_eq!(status, 400);
    let line = 1 + broken[..broken.find("gapp").unwrap()].matches('\n').count();
    assert!(said["mistakes"].as_array().unwrap().iter().any(|mistake| mistake["line"] == line), "{said}");
    let (status, said) = served.post("system", &json!({ "text": "x".repeat(2 * 1024 * 1024) }));
    assert_eq!(status, 400, "{said}");
    assert!(said["mistakes"][0]["message"].as_str().unwrap().contains("1048576 at most"), "{said}");
    let (status, _) = served.reply("POST", "system", &json!({ "text": "x".repeat(10 * 1024 * 1024) }));
    assert_eq!(status, 413);
    for (body, field) in [
        (json!({ "id": "a", "question": "simulate", "fields": { "untl": 3 } }), "untl"),
        (json!({ "id": "a", "question": "simulate", "fields": { "until": -3 } }), "until"),
        (json!({ "id": "a", "question": "simulate", "fields": { "tol": null, "until": "nan" } }), "until"),
        (json!({ "id": "a", "question": "nothing" }), "question"),
        (json!({ "id": "a", "question": "continue", "fields": { "along": "e" } }), "from"),
        (json!({ "id": "a", "question": "simulate", "set": { "g": [1] } }), "g"),
    ] {
        let (name, said) = served.ask(&body);
        assert_eq!((name.as_str(), said["mistakes"][0]["field"].as_str()), ("refused", Some(field)), "{said}");
        assert!(!said["mistakes"][0]["message"].as_str().unwrap().is_empty());
    }
    // Of a parameter whose bounds are left, and of a name that the model does not have.
    for (set, field) in [(json!({ "e": 7 }), "e"), (json!({ "nothing": 1 }), "nothing"), (json!({ "g": "1/0" }), "g")] {
        let (name, said) = served.ask(&json!({ "id": "a", "question": "simulate", "set": set }));
        assert_eq!((name.as_str(), &said["mistakes"][0]["field"]), ("refused", &json!(field)), "{said}");
    }
    let text = served.text.as_str();
    let unknown = json!({ "id": "c", "question": "continue", "from": "nobody", "text": text });
    assert_eq!(served.post("ask", &unknown).0, 404);
    for (path, body) in [
        ("ask", json!({ "id": "a", "question": "simulate" })),
        ("ask", json!({ "id": 7, "question": "simulate", "text": text })),
        ("ask", json!({ "id": "a", "question": "simulate", "text": text, "more": 1 })),
        ("system", json!({ "gallery": "no-such-model" })),
        ("system", json!({})),
        ("system", json!([])),
    ] {
        let (status, said) = served.post(path, &body);
        assert_eq!(status, 400, "{said}");
        assert!(!said["mistakes"][0]["message"].as_str().unwrap().is_empty());
    }
    assert_eq!(served.post("rows", &json!({ "id": "nobody" })).0, 404);
}

#[test]
fn files_are_saved_into_one_folder_only() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("results");
    let served = Served::of("bouncing-ball", Some(folder.clone()));
    assert_eq!(served.post("save", &json!({ "name": "a b.json", "text": "{}" })).0, 200);
    assert_eq!(served.post("save", &json!({ "name": "p.png", "base64": "AAH/" })).0, 200);
    assert_eq!(std::fs::read(folder.join("a b.json")).unwrap(), b"{}");
    assert_eq!(std::fs::read(folder.join("p.png")).unwrap(), [0, 1, 255]);
    for name in ["../a", "/tmp/a", "a/b", "", ".a"] {
        assert_eq!(served.post("save", &json!({ "name": name, "text": "" })).0, 403, "{name}");
    }
    assert_eq!(served.post("save", &json!({ "name": "a", "base64": "?" })).0, 400);
    let listed: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(listed.len(), 2, "{listed:?}");
    drop(served);
    let served = Served::of("bouncing-ball", None);
    assert_eq!(served.post("save", &json!({ "name": "a", "text": "" })).0, 403);
}

#[test]
fn the_server_ends_while_something_is_computed() {
    let served = Served::of("impact-oscillator", None);
    let life = |served: &Served| served.reply("GET", "alive", &json!({}));
    assert_eq!(life(&served), life(&served));
    assert_ne!(life(&served), life(&Served::of("impact-oscillator", None)), "another server has another life");
    let mut long = served.begin(&json!({ "id": "l", "question": "simulate", "fields": { "until": 1e12 } }));
    assert_eq!(long.next().unwrap().0, "progress");
    let began = Instant::now();
    drop(served);
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(long.last().is_none_or(|(name, _)| name != "failed"));
}

#[test]
fn ports_and_tokens_that_cannot_be_had_are_refused() {
    let begin = || Begin {
        name: "bouncing-ball".to_string(),
        system: System::gallery("bouncing-ball").unwrap(),
        session: None,
    };
    let served = Served::of("bouncing-ball", None);
    let taken = Page::open(begin(), Options { port: Some(served.port), ..Options::default() });
    assert_eq!(taken.err().unwrap().kind(), std::io::ErrorKind::AddrInUse);
    for token in ["short", "with-a-minus-0123456789", ""] {
        let refused = Page::open(begin(), Options { token: Some(token.to_string()), ..Options::default() });
        assert_eq!(refused.err().unwrap().kind(), std::io::ErrorKind::InvalidInput);
    }
}

#[test]
fn an_answer_that_is_kept_comes_again_without_being_asked() {
    let served = Served::of("impact-oscillator", None);
    let orbit = json!({ "id": "o", "question": "orbit", "fields": { "settle": 400, "period": 2 } });
    let (_, first) = served.ask(&orbit);
    let (status, again) = served.post("answer", &json!({ "id": "o" }));
    assert_eq!((status, &again), (200, &first));
    assert_eq!(served.post("answer", &json!({ "id": "nobody" })), (200, Value::Null));
}

#[test]
fn a_branch_begins_at_an_orbit_of_its_own_values_only() {
    let served = Served::of("impact-oscillator", None);
    let orbit = json!({ "id": "o", "question": "orbit", "fields": { "settle": 400, "period": 2 } });
    assert_eq!(served.ask(&orbit).0, "answer");
    let fields = json!({ "along": "A", "range": [0.349, 0.351] });
    let branch = |set: Value| json!({ "id": "b", "question": "continue", "from": "o", "set": set, "fields": fields });
    // Its own parameter may have moved on, or be given as it is in the model.
    for set in [json!({ "A": 0.3502 }), json!({ "r": 0.9 })] {
        assert_eq!(served.ask(&branch(set)).0, "answer");
    }
    let (name, said) = served.ask(&branch(json!({ "r": 0.8 })));
    assert_eq!((name.as_str(), &said["mistakes"][0]["field"]), ("refused", &json!("from")), "{said}");
    assert!(said["mistakes"][0]["message"].as_str().unwrap().contains("r = 0.9, and r is 0.8"), "{said}");
    let mut other = branch(json!({}));
    other["text"] = served.text.replacen("damping ratio", "damping", 1).into();
    let path = format!("/{}/ask", served.token);
    let (_, reader) = served.send("POST", &path, &served.own(), other.to_string().as_bytes());
    let (name, said) = Events(reader).last().unwrap();
    assert_eq!(name, "refused", "{said}");
    assert!(said["mistakes"][0]["message"].as_str().unwrap().contains("another text"), "{said}");
}

#[test]
fn branches_of_one_special_point_are_followed_alone() {
    let served = Served::of("impact-oscillator", None);
    let orbit = json!({ "id": "o", "question": "orbit", "fields": { "settle": 400, "period": 2 } });
    assert_eq!(served.ask(&orbit).0, "answer");
    let ask = |more: (&str, Value)| {
        let mut fields = json!({ "along": "A", "range": [0.34, 0.36] });
        fields[more.0] = more.1;
        served.ask(&json!({ "id": "b", "question": "continue", "from": "o", "fields": fields }))
    };
    let begun = |found: &Value, special: u64| -> Vec<Value> {
        let own = |branch: &&Value| branch["parent"] == json!({ "branch": 0, "special": special });
        let branches = found["answer"]["branches"].as_array().unwrap();
        branches.iter().filter(own).map(|branch| branch["points"].clone()).collect()
    };
    let (_, all) = ask(("switch", json!(true)));
    let special = (0..50).find(|special| !begun(&all, *special).is_empty()).expect("a branch begins somewhere");
    let (_, one) = ask(("switch_at", json!(special)));
    assert_eq!(begun(&one, special), begun(&all, special));
    assert_eq!(one["answer"]["branches"].as_array().unwrap().len(), begun(&one, special).len(), "no others");
    let command = one["command"].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert!(command.contains(&format!("--switch-at {special}")), "{command}");
    let (name, said) = ask(("switch_at", json!(99)));
    assert_eq!((name.as_str(), &said["mistakes"][0]["field"]), ("refused", &json!("switch_at")));
}

#[test]
fn a_look_has_values_ranges_and_the_plane() {
    let served = Served::of("impact-oscillator", None);
    let text = served.text.as_str();
    let asked = json!({ "text": text, "set": { "A": "pi/9" }, "formulas": ["2*A", "q", "1/0"], "ranges": true });
    let (status, seen) = served.post("look", &asked);
    assert_eq!(status, 200, "{seen}");
    assert_eq!(seen["values"][0]["value"], 2.0 * std::f64::consts::PI / 9.0);
    assert!(seen["values"][1]["mistake"].as_str().unwrap().contains('q') && seen["values"][2]["mistake"].is_string());
    assert_eq!(seen["ranges"]["x"], json!([null, 0.0]));
    let plane = |x: &str, y: &str| json!({ "text": text, "plane": { "states": [x, y], "ranges": [[-2, 1], [-1, 1]], "arrows": 7 } });
    let (status, seen) = served.post("look", &plane("x", "y"));
    assert_eq!((status, seen["plane"]["rates"].as_array().unwrap().len()), (200, 49), "{seen}");
    for (body, words) in [
        (plane("x", "x"), "different"),
        (plane("x", "z"), "no state"),
        (json!({ "text": text, "set": { "nothing": 1 } }), "nothing"),
        (json!({ "set": {} }), "cannot be read"),
        (json!({ "text": text, "more": 1 }), "more"),
    ] {
        let (status, said) = served.post("look", &body);
        assert_eq!(status, 400);
        assert!(said["mistakes"][0]["message"].as_str().unwrap().contains(words), "{said}");
    }
    let (_, system) = served.post("system", &json!({ "gallery": "impact-oscillator" }));
    assert_eq!(system["system"]["forcing"], json!(["A", "omega"]));
}

#[test]
fn a_long_trajectory_keeps_a_bounded_number_of_events() {
    let served = Served::of("impact-oscillator", None);
    let body = json!({ "id": "m", "question": "simulate", "fields": { "until": 60000, "all_events": false } });
    let (name, found) = served.ask(&body);
    assert_eq!(name, "answer");
    let events = found["answer"]["events"].as_array().unwrap().len();
    let counts = found["answer"]["counts"].as_object().unwrap();
    let counted: u64 = counts.values().map(|number| number.as_u64().unwrap()).sum();
    assert!(events <= 2000 && counted > 2000, "{events} of {counted}");
}

/// A ring of pendulums with stops: the search for its equilibria takes long.
fn ring(count: usize) -> String {
    let names = |letter: &str| (0..count).map(|k| format!("\"{letter}{k}\"")).collect::<Vec<_>>().join(", ");
    let force = |k: usize| format!("\"-sin(q{k}) - 2*sin(q{k} - q{}) - 0.1*w{k}\"", (k + 1) % count);
    let forces: Vec<String> = (0..count).map(force).collect();
    let starts: Vec<String> =
        (0..count).flat_map(|k| [format!("q{k} = 0.{}", k % 9 + 1), format!("w{k} = 0")]).collect();
    let stops: Vec<String> =
        (0..count).map(|k| format!("s{k} = {{ gap = \"2 - q{k}\", restitution = 0.5 }}")).collect();
    format!(
        "format = 1\nname = \"ring\"\nstart = {{ {} }}\n[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n[contacts]\n{}\n",
        starts.join(", "),
        names("q"),
        names("w"),
        vec!["1"; count].join(", "),
        forces.join(", "),
        stops.join("\n"),
    )
}

#[test]
fn the_search_for_equilibria_hears_stop() {
    let mut served = Served::of("bouncing-ball", None);
    served.text = ring(24);
    let mut events = served.begin(&json!({ "id": "e", "question": "equilibrium", "fields": {} }));
    // It has begun when it says how far it is.
    assert_eq!(events.next().unwrap().0, "progress");
    assert_eq!(served.post("stop", &json!({ "id": "e" })).1, json!({ "stopped": true }));
    let stopped = Instant::now();
    let (name, found) = events.last().unwrap();
    assert_eq!((name.as_str(), found["answer"]["ended"].as_str()), ("answer", Some("interrupted")));
    assert_eq!(found["ending"]["complete"], false);
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
}
