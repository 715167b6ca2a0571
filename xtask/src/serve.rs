//! Serves a folder on this computer.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::Duration;

use xtask::Failure;

/// The port, if it is free.
const PORT: u16 = 8080;
/// The time that a browser has to ask for something, or to take it.
const PATIENCE: Duration = Duration::from_secs(10);
/// The largest head of a request, in bytes.
const LARGEST_HEAD: u64 = 16 << 10;

/// Serves a folder until the program is ended.
pub(crate) fn serve(folder: &Path) -> Result<(), Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, PORT))
        .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
    println!("serving http://{}/; stop with Ctrl+C", listener.local_addr()?);
    for stream in listener.incoming().flatten() {
        let folder = folder.to_owned();
        // A browser that cannot be served asks again.
        thread::spawn(move || drop(answer(&stream, &folder)));
    }
    Ok(())
}

fn answer(mut stream: &TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(LARGEST_HEAD)).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let found = request.strip_prefix("GET ").and_then(|rest| file_of(rest, folder));
    let found = found.and_then(|path| Some((kind_of(&path), fs::read(path).ok()?)));
    let Some((kind, bytes)) = found else {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    };
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: \
         no-cache\r\nConnection: close\r\n\r\n",
        bytes.len()
    )?;
    stream.write_all(&bytes)
}

/// Returns the file that a request asks for, in the folder or below it.
fn file_of(request: &str, folder: &Path) -> Option<PathBuf> {
    let target = request.split([' ', '?', '#']).next()?.strip_prefix('/')?;
    let path = Path::new(if target.is_empty() { "index.html" } else { target });
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    is_below.then(|| folder.join(path))
}

fn kind_of(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "webmanifest" | "gltf") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_served() {
        let folder = Path::new("site");
        let file = |request| file_of(request, folder);
        assert_eq!(file("/ HTTP/1.1"), Some(folder.join("index.html")));
        assert_eq!(file("/samples/a.amo?x HTTP/1.1"), Some(folder.join("samples/a.amo")));
        assert_eq!(file("/../Cargo.toml HTTP/1.1"), None);
        assert_eq!(file("//etc/passwd HTTP/1.1"), None);
    }
}
