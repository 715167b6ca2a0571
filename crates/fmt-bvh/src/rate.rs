//! Derivation of frame rates from rounded frame times.

/// Common frame rates of displays and motion capture, most common first.
const WHOLE: [u32; 20] =
    [30, 60, 120, 24, 25, 50, 100, 240, 15, 12, 10, 20, 40, 48, 72, 90, 144, 150, 200, 300];
/// NTSC frame rates multiplied by 1.001.
const SLOWER: [u32; 4] = [24, 30, 60, 120];

/// The largest change of a duration by using a common rate whose frame time was truncated. A frame
/// time of 0.06 would match a rate that is 10 % off.
const MOST_CHANGE: f64 = 0.05;

/// Returns the frame rate for a frame time as written: the nearest common rate that gives this text
/// when rounded to its decimals or, if that changes the duration by at most 5 %, truncated;
/// otherwise, if the text has enough digits, a matching integer rate or one with three decimals;
/// otherwise the reciprocal.
pub(crate) fn of_text(text: &[u8], seconds: f64) -> f64 {
    let exact = 1.0 / seconds;
    // A frame time with many digits is only as precise as an f64.
    let unit = last_place(text).max(seconds * 4.0 * f64::EPSILON);
    let error = |rate: &f64| (1.0 / rate - seconds).abs();
    let is_near = |rate: &f64| (rate * seconds - 1.0).abs() <= MOST_CHANGE;
    let fits = |rate: &f64| {
        let above = 1.0 / rate - seconds;
        let most = if is_near(rate) { unit } else { unit / 2.0 * 1.000_001 };
        *rate > 0.0 && (-unit / 2.0 * 1.000_001..most).contains(&above)
    };
    let slower = SLOWER.map(|thousands| f64::from(thousands) * 1000.0 / 1001.0);
    let common = WHOLE.map(f64::from).into_iter().chain(slower).filter(fits);
    let nearest = common.min_by(|a, b| error(a).total_cmp(&error(b)));
    let round = [exact.round(), (exact * 1000.0).round() / 1000.0];
    // Few digits match many rates.
    let is_precise = unit <= seconds / 100.0;
    let other = || round.into_iter().find(|rate| is_precise && fits(rate));
    nearest.or_else(other).unwrap_or(exact)
}

/// The value of a 1 in the last decimal place.
fn last_place(text: &[u8]) -> f64 {
    let split = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
    let (digits, exponent) = text.split_at_checked(split).unwrap_or((text, b""));
    let point = digits.iter().position(|byte| *byte == b'.');
    let decimals = point.map_or(0, |point| digits.len().saturating_sub(point.saturating_add(1)));
    let exponent = exponent.get(1..).and_then(|exponent| std::str::from_utf8(exponent).ok());
    let exponent = exponent.and_then(|exponent| exponent.parse::<i32>().ok()).unwrap_or(0);
    let decimals = i32::try_from(decimals).unwrap_or(i32::MAX);
    10_f64.powi(exponent.saturating_sub(decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_times_of_real_files() {
        for (text, rate) in [
            ("0.0083333", 120.0),
            (".0083333", 120.0),
            ("0.008333", 120.0),
            ("0.00833333333333333333333333", 120.0),
            ("8.3333e-3", 120.0),
            ("0.033333", 30.0),
            ("0.0333333", 30.0),
            ("0.03333333333333333", 30.0),
            ("0.0333334", 1.0 / 0.0333334),
            ("0.03", 30.0),
            ("0.016", 60.0),
            ("0.041", 24.0),
            ("0.0333", 30.0),
            ("0.0416", 24.0),
            ("0.3", 1.0 / 0.3),
            ("0.06", 1.0 / 0.06),
            ("6e-2", 1.0 / 0.06),
            ("0.5", 2.0),
            ("0.04", 25.0),
            ("0.041667", 24.0),
            ("0.0416666", 24.0),
            ("0.041708", 24_000.0 / 1001.0),
            ("0.0417083750417", 23.976),
            ("0.033367", 30_000.0 / 1001.0),
            ("0.016667", 60.0),
            ("0.0166833", 60_000.0 / 1001.0),
            ("0.01", 100.0),
            ("0.005", 200.0),
            ("1", 1.0),
            ("0.0142857", 70.0),
            ("0.123456789", 8.1),
        ] {
            let found = of_text(text.as_bytes(), text.parse().unwrap());
            let expected = if text == "0.123456789" { 1.0 / 0.123_456_789 } else { rate };
            assert!((found - expected).abs() < 1e-9 * expected, "{text}: {found}");
        }
    }
}
