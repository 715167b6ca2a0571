//! Measures this project at four input sizes: the time per byte should stay the same. Copying is
//! measured as well, since the memory becomes slower where an input does not fit into the caches.

use crate::Failure;
use crate::contender::Subject;
use crate::driver;
use crate::inputs::Input;
use crate::report::Row;
use crate::subjects::MEMCPY;
use crate::versions::Version;

const MEGABYTES: [usize; 4] = [1, 4, 16, 64];

pub fn run(subjects: &[Subject], rounds: usize) -> Result<(), Failure> {
    println!(
        "| work | by | 1 MB | 4 MB | 16 MB | 64 MB | max / min |\n|---|---|--:|--:|--:|--:|--:|"
    );
    for subject in subjects.iter().filter(|subject| subject.input != Input::Keys) {
        let measured = subject.contenders.iter();
        let measured =
            measured.filter(|one| matches!(one.version, Version::This) || one.name == MEMCPY);
        let mut rates: Vec<(&str, Vec<f64>)> = measured.map(|one| (one.name, Vec::new())).collect();
        for megabytes in MEGABYTES {
            let (input, expected) = driver::make(subject, megabytes)?;
            let units = crate::report::units(&input, &expected)?;
            for (name, rates) in &mut rates {
                let Some(contender) = subject.contenders.iter().find(|one| one.name == *name)
                else {
                    continue;
                };
                let mut runner = driver::ready(subject, contender, &input, &expected)?;
                // The same total work at each size.
                let runs = rounds * 64 / megabytes;
                let rounds = (0..runs).map(|_| runner.run()).collect::<Result<_, _>>()?;
                let row = Row { contender, units, rounds, memory: 0 };
                rates.push(row.median_time() / row.units.millions * 1e3);
            }
        }
        for (name, rates) in rates {
            let most = rates.iter().copied().fold(0.0, f64::max);
            let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
            let cells: Vec<String> = rates.iter().map(|rate| format!("{rate:.2} ns/B")).collect();
            println!("| {} | {name} | {} | {:.2} |", subject.name, cells.join(" | "), most / least);
        }
    }
    Ok(())
}
