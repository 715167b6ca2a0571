//! Measures how the run time of a function grows with its input.
//!
//! Uses the CPU time of the working thread, since wall-clock time is unreliable on a busy machine.
//! CPU time still varies with caches, the clock rate and the load on the sibling hyperthread, so
//! the limit has a margin of a factor of 2.5, and both times are measured again, one right after
//! the other, if the limit is exceeded. Quadratic
//! code takes 16 times as long for four times the input, which is clearly beyond the limit.

use std::time::Duration;

/// Maximum ratio of run times for four times the input. A linear function has a ratio of 4.
const LIMIT: u32 = 10;
/// Shorter times are dominated by noise.
const MEASURABLE: Duration = Duration::from_millis(1);
/// Measurements of which the minimum is used.
const READINGS: usize = 3;
/// Maximum number of times that both sizes are measured.
const ROUNDS: usize = 6;

/// Asserts that the run time of `run` is linear in the size of the input that `make` creates. The
/// run time for `4 * count` may be at most ten times the run time for `count`.
///
/// `count` should be large enough for `run` to take some milliseconds. Times below one millisecond
/// are rounded up to one. Only `run` is measured. Both functions run in a thread pool with a single
/// thread, so work passed to rayon is executed and measured in the same thread.
///
/// Never fails on systems other than Unix, where CPU time is not measured.
pub fn assert_linear<T>(
    what: &str,
    make: impl Fn(usize) -> T + Sync,
    run: impl Fn(&T) + Sync,
    count: usize,
) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (once, fourfold) = pool.install(|| {
        let [input, larger] = [make(count), make(4 * count)];
        let mut times = (Duration::ZERO, Duration::MAX);
        for _ in 0..ROUNDS {
            let readings = (0..READINGS).map(|_| cpu_time(|| run(&input)));
            let once = readings.min().unwrap_or_default().max(MEASURABLE);
            times = (once, cpu_time(|| run(&larger)));
            if times.1 < once * LIMIT {
                break;
            }
        }
        times
    });
    assert!(fourfold < once * LIMIT, "{what}: {once:?}, four times the input: {fourfold:?}");
}

/// Returns the CPU time that this thread spends in `run`.
fn cpu_time(run: impl FnOnce()) -> Duration {
    let start = thread_time();
    run();
    thread_time() - start
}

#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn thread_time() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    fn numbers(count: usize) -> Vec<u64> {
        (0..count as u64).collect()
    }

    #[test]
    fn linear_functions_pass() {
        let sum = |numbers: &Vec<u64>| {
            black_box(numbers.iter().sum::<u64>());
        };
        assert_linear("a sum", numbers, sum, 200_000);
        assert_linear("nothing", numbers, |_| {}, 1);
    }

    /// Does cubic work, which noise cannot hide.
    #[test]
    #[cfg(unix)]
    #[should_panic(expected = "triples: ")]
    fn nonlinear_functions_are_rejected() {
        let triples = |numbers: &Vec<u64>| {
            let below = |a: &u64| {
                let pairs = numbers.iter().map(|b| numbers.iter().filter(|c| *c + b < *a).count());
                black_box(pairs.sum::<usize>())
            };
            black_box(numbers.iter().map(below).sum::<usize>());
        };
        assert_linear("triples", numbers, triples, 200);
    }

    #[test]
    #[cfg(unix)]
    fn sleep_is_not_measured() {
        assert!(cpu_time(|| std::thread::sleep(Duration::from_millis(50))) < MEASURABLE * 10);
    }

    #[test]
    fn rayon_work_runs_on_the_same_thread() {
        let thread = || std::thread::current().id();
        let both = |_: &Vec<u64>| assert_eq!(rayon::join(thread, thread), (thread(), thread()));
        assert_linear("threads", numbers, both, 1);
    }
}
