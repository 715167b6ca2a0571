//! Batch processing: files are processed on several threads and reported in order.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anim_formats::{Format, LoadOptions};

use crate::args::{Common, set};
use crate::fault;
use crate::files::{Files, Found};
use crate::input::Input;
use crate::options::warn_of_useless;
use crate::progress::Progress;
use crate::status::Failure;
use crate::term::thousands;

/// Returns the number of files to process in parallel. If there are several files, also limits the
/// processing of each to a single thread.
pub(crate) fn share_threads(options: &mut LoadOptions, files: usize) -> usize {
    let threads = options.settings.get("threads").and_then(|threads| threads.text().parse().ok());
    if files <= 1 {
        return 1;
    }
    set(&mut options.settings, "threads", "1");
    threads.unwrap_or(1)
}

/// Processes the items in parallel, and passes the results to `report` on the calling thread, in
/// the order of the items. If `report` fails, no more work is started.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut report: impl FnMut(&T, R) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let take = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        items.get(number).map(|item| (number, item))
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 1..threads.min(items.len()) {
            let (sender, take, work) = (sender.clone(), &take, &work);
            let on_thread = move || {
                while let Some((number, item)) = take() {
                    // The receiver has been dropped.
                    if sender.send((number, work(item))).is_err() {
                        break;
                    }
                }
            };
            // If no more threads can be spawned, the existing threads do the work.
            if thread::Builder::new().spawn_scoped(scope, on_thread).is_err() {
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut untold = items.iter().enumerate().peekable();
        let mut report_ready = |waiting: &mut BTreeMap<usize, R>| -> io::Result<()> {
            while let Some((number, item)) = untold.peek()
                && let Some(result) = waiting.remove(number)
            {
                report(item, result)?;
                untold.next();
            }
            Ok(())
        };
        // The calling thread processes items too. If it only waited for results, it would be woken
        // for every small file.
        while let Some((number, item)) = take() {
            waiting.insert(number, work(item));
            waiting.extend(results.try_iter());
            report_ready(&mut waiting)?;
        }
        for (number, result) in results {
            waiting.insert(number, result);
            report_ready(&mut waiting)?;
        }
        Ok(())
    })
}

/// Like [`in_order`], but with a progress bar, and a panic fails only the item that caused it.
pub(crate) fn guarded<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    progress: &Progress,
    work: impl Fn(&T) -> Result<R, Failure> + Sync,
    report: impl FnMut(&T, Result<R, Failure>) -> io::Result<()>,
) -> io::Result<()> {
    let work = |item: &T| {
        let result = fault::guard(|| work(item));
        progress.step();
        result
    };
    in_order(items, threads, work, report)
}

/// Processes each file of a command, with a progress bar, and passes the results to `report`.
/// `work` also returns the format of the file. Warns about options that none of the formats
/// supports.
pub(crate) fn each_file<R: Send>(
    files: &Files,
    common: &Common,
    work: impl Fn(Input<'_>, &LoadOptions) -> Result<(Format, R), Failure> + Sync,
    mut report: impl FnMut(&Found, Result<R, Failure>, &Progress) -> io::Result<()>,
) -> io::Result<()> {
    let mut options = common.load_options();
    let threads = share_threads(&mut options, files.found.len());
    let progress = Progress::new(files.found.len(), Progress::has_place());
    let work = |file: &Found| work(file.input(), &options);
    let mut formats = HashSet::new();
    guarded(&files.found, threads, &progress, work, |file, result| {
        let result = result.map(|(format, result)| {
            formats.insert(format);
            result
        });
        report(file, result, &progress)
    })?;
    drop(progress);
    warn_of_useless(common.given(), &formats, None);
    Ok(())
}

/// Formats the summary of a batch, such as `1,000 files: 990 converted, 8 with errors, 2 failed`.
/// Zero counts are omitted, except for the first.
pub(crate) fn summary(files: &Files, counts: &[(usize, &str)]) -> String {
    let total = counts.iter().fold(0_usize, |sum, (count, _)| sum.saturating_add(*count));
    let parts = counts.iter().enumerate().filter(|(place, (count, _))| *place == 0 || *count > 0);
    let parts: Vec<String> =
        parts.map(|(_, (count, what))| format!("{} {what}", thousands(*count))).collect();
    format!("{}: {}{}", files_in_all(total), parts.join(", "), files.others())
}

/// Formats a number of files: `1 file`, `1,000 files`.
pub(crate) fn files_in_all(number: usize) -> String {
    format!("{} {}", thousands(number), if number == 1 { "file" } else { "files" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_are_reported_in_order() {
        for threads in [0, 1, 2, 7, 100] {
            let items: Vec<u64> = (0..40).collect();
            let mut results = Vec::new();
            let work = |item: &u64| {
                // The first items finish last.
                thread::sleep(Duration::from_micros(40_u64.saturating_sub(*item) * 50));
                item * 2
            };
            in_order(&items, threads, work, |item, result| {
                results.push((*item, result));
                Ok(())
            })
            .unwrap();
            assert_eq!(results, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn work_is_spread_over_several_threads() {
        // Each item waits for the other, so a single thread would deadlock.
        let both = std::sync::Barrier::new(2);
        let mut results = 0;
        in_order(
            &[(), ()],
            2,
            |()| both.wait(),
            |(), _| {
                results += 1;
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(results, 2);
    }

    #[test]
    fn a_closed_pipe_stops_the_work() {
        for threads in [1, 2] {
            let begun = AtomicUsize::new(0);
            let work = |_: &usize| {
                thread::sleep(Duration::from_millis(1));
                begun.fetch_add(1, Ordering::Relaxed)
            };
            let items: Vec<usize> = (0..1_000).collect();
            let result =
                in_order(&items, threads, work, |_, _| Err(io::ErrorKind::BrokenPipe.into()));
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
            assert!(begun.load(Ordering::Relaxed) < 500, "{begun:?}");
        }
    }

    #[test]
    fn summaries() {
        let counts = |all| [(all, "converted"), (8, "with errors"), (2, "failed"), (0, "lost")];
        assert_eq!(
            summary(&Files::default(), &counts(990)),
            "1,000 files: 990 converted, 8 with errors, 2 failed"
        );
        assert_eq!(summary(&Files::default(), &[(0, "read"), (0, "lost")]), "0 files: 0 read");
    }
}
