//! Serves the page on this computer, and tells browsers when it has changed.
//!
//! Each version of the page has its own path, such as `/3/`. The path from which a browser requests
//! events (`/3/events`) tells which version it shows, so it misses no change.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::status::Failure;

/// The time that a browser has to ask for something, or to take it.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time to wait after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);
/// The number of requests that are served at the same time.
const MOST_REQUESTS: usize = 64;
/// The largest head of a request, in bytes.
const LARGEST_HEAD: u64 = 16 << 10;

/// A server for one page.
pub(super) struct Server {
    place: SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    page: Arc<Vec<u8>>,
    /// The number of changes so far.
    version: u64,
    /// The browsers that wait for changes.
    waiting: Vec<TcpStream>,
}

impl Server {
    /// Starts to serve a page at a free port.
    pub(super) fn start(page: Vec<u8>) -> Result<Server, Failure> {
        let cannot = |error| Failure::usage(format!("cannot serve the page: {error}"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(cannot)?;
        let place = listener.local_addr().map_err(cannot)?;
        let shared = Arc::new(Mutex::new(Shared { page: Arc::new(page), ..Shared::default() }));
        let for_requests = Arc::clone(&shared);
        let accept = move || {
            // A browser that cannot be served asks again.
            for stream in listener.incoming() {
                let Ok(stream) = stream else {
                    // Nothing can be accepted until others have closed their connections.
                    thread::sleep(PAUSE);
                    continue;
                };
                // Each request holds a reference, and so do the server and this thread.
                if Arc::strong_count(&for_requests) > MOST_REQUESTS {
                    continue;
                }
                let shared = Arc::clone(&for_requests);
                let serve = move || drop(answer(stream, place, &shared));
                let _ = thread::Builder::new().name("request".to_owned()).spawn(serve);
            }
        };
        thread::Builder::new().name("server".to_owned()).spawn(accept).map_err(cannot)?;
        Ok(Server { place, shared })
    }

    /// Returns the address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}/", self.place)
    }

    /// Serves another page, and lets browsers load it.
    pub(super) fn show(&self, page: Vec<u8>) {
        let mut shared = lock(&self.shared);
        shared.page = Arc::new(page);
        shared.version = shared.version.saturating_add(1);
        shared.waiting.retain_mut(|stream| stream.write_all(CHANGE).is_ok());
    }
}

/// The event that makes a browser reload the page.
const CHANGE: &[u8] = b"event: change\ndata:\n\n";

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers a request.
fn answer(stream: TcpStream, place: SocketAddr, shared: &Mutex<Shared>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = read_head(&stream)?;
    let mut lines = head.lines();
    let target = lines.next().and_then(|line| line.strip_prefix("GET ")?.split(' ').next());
    let hosts = [place.to_string(), format!("localhost:{}", place.port())];
    // Pages of other hosts whose names lead here get nothing.
    let is_ours = lines.filter_map(|line| line.split_once(':')).any(|(name, value)| {
        name.eq_ignore_ascii_case("host") && hosts.iter().any(|host| host == value.trim())
    });
    let mut stream = stream;
    let version = lock(shared).version;
    match target.filter(|_| is_ours).and_then(parts) {
        Some((of, "")) if of != Some(version) => write!(
            stream,
            "HTTP/1.1 302 Found\r\nLocation: /{version}/\r\nCache-Control: no-store\r\n\
             Content-Length: 0\r\nConnection: close\r\n\r\n"
        ),
        Some((_, "")) => {
            let page = Arc::clone(&lock(shared).page);
            let length = page.len();
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \
                 {length}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
            )?;
            stream.write_all(&page)
        }
        Some((of, "events")) => {
            stream.write_all(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: \
                  no-store\r\n\r\nretry: 500\n\n",
            )?;
            let Shared { waiting, version, .. } = &mut *lock(shared);
            if of != Some(*version) {
                stream.write_all(CHANGE)?;
            }
            if waiting.len() >= MOST_REQUESTS {
                // It asks again if it is still there.
                waiting.remove(0);
            }
            waiting.push(stream);
            Ok(())
        }
        _ => stream
            .write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    }
}

/// Splits a path such as `/3/events` into the version and the rest. `/` has no version.
fn parts(target: &str) -> Option<(Option<u64>, &str)> {
    let target = target.strip_prefix('/')?;
    if target.is_empty() {
        return Some((None, ""));
    }
    let (version, name) = target.split_once('/')?;
    Some((Some(version.parse().ok()?), name))
}

/// Reads a request up to its empty line.
fn read_head(stream: &TcpStream) -> std::io::Result<String> {
    let mut head = String::new();
    let mut reader = BufReader::new(stream.take(LARGEST_HEAD));
    loop {
        let before = head.len();
        if reader.read_line(&mut head)? == 0 || matches!(head.get(before..), Some("\r\n" | "\n")) {
            return Ok(head);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(place: SocketAddr, target: &str, host: &str) -> TcpStream {
        let mut stream = TcpStream::connect(place).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        stream
    }

    fn answer_of(place: SocketAddr, target: &str, host: &str) -> String {
        let mut answer = String::new();
        ask(place, target, host).read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn only_this_computer_gets_the_page() {
        let server = Server::start(b"<p>page".to_vec()).unwrap();
        let place = server.place;
        assert!(place.ip().is_loopback());
        let own = place.to_string();
        assert!(answer_of(place, "/0/", &own).ends_with("\r\n\r\n<p>page"));
        let local = format!("localhost:{}", place.port());
        assert!(answer_of(place, "/0/", &local).contains("<p>page"));
        assert!(answer_of(place, "/", &own).contains("\r\nLocation: /0/\r\n"));
        assert!(answer_of(place, "/7/", &own).contains("\r\nLocation: /0/\r\n"));
        let others = [("/", "example.org"), ("/0/", "127.0.0.1:1")];
        let unknown = ["/other", "/0", "/0/other", "/a/", "/0/0/", "//", "/0/events/"];
        for (target, host) in others.into_iter().chain(unknown.map(|target| (target, &*own))) {
            assert!(answer_of(place, target, host).starts_with("HTTP/1.1 404 "), "{target} {host}");
        }
    }

    #[test]
    fn idle_clients_do_not_lock_others_out() {
        let server = Server::start(b"page".to_vec()).unwrap();
        let connect = |_| TcpStream::connect(server.place).unwrap();
        let idle: Vec<TcpStream> = (0..2 * MOST_REQUESTS).map(connect).collect();
        drop(idle);
        let own = server.place.to_string();
        loop {
            // The server may refuse until it notices that the idle clients are gone.
            let mut answer = String::new();
            let mut stream = TcpStream::connect(server.place).unwrap();
            let asked = write!(stream, "GET /0/ HTTP/1.1\r\nHost: {own}\r\n\r\n");
            if asked.and_then(|()| stream.read_to_string(&mut answer)).is_ok()
                && answer.ends_with("page")
            {
                break;
            }
            thread::yield_now();
        }
    }

    #[test]
    fn browsers_are_told_of_changes() {
        let server = Server::start(b"old".to_vec()).unwrap();
        let own = server.place.to_string();
        let mut lines = BufReader::new(ask(server.place, "/0/events", &own)).lines();
        // After this line, the browser waits.
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("retry:")));
        while lock(&server.shared).waiting.is_empty() {
            thread::yield_now();
        }
        server.show(b"new".to_vec());
        assert!(lines.map_while(Result::ok).any(|line| line == "event: change"));
        assert!(answer_of(server.place, "/1/", &own).ends_with("\r\n\r\nnew"));
        // A browser that shows an old version is notified as soon as it connects.
        let late = BufReader::new(ask(server.place, "/0/events", &own)).lines();
        assert!(late.map_while(Result::ok).any(|line| line == "event: change"));
    }
}
