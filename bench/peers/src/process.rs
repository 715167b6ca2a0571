//! Runs contenders as child processes.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4 as _;

use crate::Failure;
use crate::contender::{Contender, Found, How, Spent};

/// Makes the allocator keep freed memory for the next run. Otherwise, page faults would dominate
/// most measurements. The rows for whole processes include them.
const KEEP_MEMORY: (&str, &str) =
    ("GLIBC_TUNABLES", "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=17179869184");

/// A started contender.
pub enum Runner {
    Served(Served),
    Program { command: Box<dyn Fn() -> Result<Command, Failure>>, output: PathBuf, memory: u64 },
}

/// A process that has loaded the input into memory.
pub struct Served {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Runner {
    /// Starts a contender, or returns the reason why it is not available.
    pub fn start(subject: &str, contender: &Contender, input: &Path) -> Result<Runner, Failure> {
        let folder = input.parent().ok_or("no folder")?;
        match &contender.how {
            How::Library(_) => {
                let mut command = Command::new(std::env::current_exe()?);
                command.args(["--contend", subject, contender.name]).arg(input);
                Ok(Runner::Served(Served::start(&mut command)?))
            }
            How::Missing(reason) => Err((*reason).into()),
            How::Cpp(name, links) => {
                let program = compile(name, links, folder)?;
                Ok(Runner::Served(Served::start(Command::new(program).arg(input))?))
            }
            How::Program(command) => {
                let (command, input) = (*command, input.to_owned());
                let output = folder.join(format!("{}.glb", contender.name.replace(' ', "_")));
                command(&input, &output)?;
                let made = output.clone();
                let command = Box::new(move || command(&input, &made));
                Ok(Runner::Program { command, output, memory: 0 })
            }
        }
    }

    /// Runs the contender once and returns its result.
    pub fn check(&mut self) -> Result<Found, Failure> {
        match self {
            Runner::Served(served) => Ok(serde_json::from_str(&served.ask("check")?)?),
            Runner::Program { output, .. } => {
                let output = output.clone();
                self.run()?;
                let mut reader = Command::new(std::env::current_exe()?);
                let found = reader.arg("--found-in").arg(output).output()?;
                if !found.status.success() {
                    return Err(String::from_utf8_lossy(&found.stderr).into());
                }
                Ok(serde_json::from_slice(&found.stdout)?)
            }
        }
    }

    pub fn run(&mut self) -> Result<Spent, Failure> {
        match self {
            Runner::Served(served) => {
                let answer = served.ask("run")?;
                let mut numbers = answer.split(' ').map(str::parse);
                let mut next = || Ok::<_, Failure>(numbers.next().ok_or("no time")??);
                Ok(Spent {
                    wall: Duration::from_nanos(next()?),
                    cpu: Duration::from_nanos(next()?),
                })
            }
            Runner::Program { command, memory, .. } => {
                let mut command = command()?;
                let messages = tempfile_for_messages()?;
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(messages);
                let started = Instant::now();
                let used = command.spawn()?.wait4()?;
                let wall = started.elapsed();
                if !used.status.success() {
                    return Err(
                        format!("{:?} failed: {}", command.get_program(), used.status).into()
                    );
                }
                *memory = used.rusage.maxrss.max(*memory);
                Ok(Spent { wall, cpu: used.rusage.utime + used.rusage.stime })
            }
        }
    }

    /// Returns the peak memory in bytes.
    pub fn memory(&mut self) -> Result<u64, Failure> {
        match self {
            Runner::Served(served) => Ok(served.ask("memory")?.parse()?),
            Runner::Program { memory, .. } => Ok(*memory),
        }
    }
}

impl Served {
    fn start(command: &mut Command) -> Result<Served, Failure> {
        let (name, value) = KEEP_MEMORY;
        command.env(name, value).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let to = child.stdin.take().ok_or("no standard input")?;
        let from = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Served { child, to, from })
    }

    fn ask(&mut self, what: &str) -> Result<String, Failure> {
        writeln!(self.to, "{what}")?;
        self.to.flush()?;
        let mut answer = String::new();
        if self.from.read_line(&mut answer)? == 0 {
            return Err(format!("ended: {}", self.child.wait()?).into());
        }
        Ok(answer.trim().to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tempfile_for_messages() -> Result<File, Failure> {
    Ok(File::create(crate::driver::folder()?.join("messages.txt"))?)
}

/// Compiles a C++ program into `folder`.
fn compile(name: &str, links: &[&str], folder: &Path) -> Result<PathBuf, Failure> {
    let program = folder.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp").join(format!("{name}.cpp"));
    let mut compiler = Command::new("c++");
    compiler.args(["-O3", "-std=c++17", "-DNDEBUG", "-o"]).arg(&program).arg(source).args(links);
    let output =
        compiler.output().map_err(|error| format!("cannot run the C++ compiler: {error}"))?;
    if output.status.success() {
        Ok(program)
    } else {
        Err("not installed, or does not compile".into())
    }
}
