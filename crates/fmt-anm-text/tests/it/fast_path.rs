//! Plain lines take a fast path in the parser. It must agree with the slow path, which is the only
//! one that accepts two spaces after a keyword.

use fmt_anm_text::Document;
use test_oracle::anm_text::generate::{self, Layout, Mistake, Options};
use test_oracle::random::Rng;

fn with_two_spaces(line: &str) -> String {
    match line.split_at_checked(2) {
        Some((keyword @ ("as" | "bl" | "ev" | "an"), rest)) if rest.starts_with([' ', '\t']) => {
            format!("{keyword} {rest}")
        }
        _ => line.to_owned(),
    }
}

fn compare(text: &str) {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let slow: String = text.split_inclusive('\n').map(with_two_spaces).collect();
    let [slow, fast, with_cr_lf] = [&slow, &text, &text.replace('\n', "\r\n")].map(|text| {
        Document::parse(text.as_bytes()).map(|parsed| {
            let messages: Vec<String> =
                parsed.diagnostics.iter().map(|found| found.message.clone()).collect();
            (parsed.value.data(), messages)
        })
    });
    let [slow, fast, with_cr_lf] = [slow, fast, with_cr_lf].map(Result::ok);
    assert_eq!(fast, slow, "{text}");
    assert_eq!(with_cr_lf, slow, "{text}");
}

#[test]
fn files_are_read_alike_on_both_paths() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 12);
        let layout = rng.pick(&Layout::ALL);
        let odd = rng.chance(50);
        let options = Options { layout, odd, ..Options::default() };
        compare(&generate::file(&mut rng, &tree, &options));
        let mistake = rng.pick(&Mistake::ALL);
        let options = Options::default();
        let broken = generate::broken(&mut rng, &tree, &options, mistake);
        compare(&broken.text);
    }
    compare(&String::from_utf8(generate::large(100_000)).unwrap());
}

#[test]
fn lines_are_read_alike_on_both_paths() {
    let long = "x".repeat(60);
    for line in [
        "ev 12 step",
        "ev 12.5 step",
        "ev 1e1 step",
        "ev 123456789 step",
        "ev 16777217 step",
        "ev -0 step",
        "ev -1 step",
        "ev +1 step",
        "ev . step",
        "ev 1x step",
        "ev 12\tstep",
        "ev 12  step",
        "ev 12 ",
        "ev 12 step ",
        "ev 12 step \t ",
        "ev 12 step \t x",
        "ev\t12 step",
        "an\t0\t23\twalk\t",
        "bl\tHips",
        "ev 12",
        "ev 12 two words",
        "ev 12 a\u{7f}b",
        "ev 12 a\u{1}b",
        "ev 12 a\0b",
        "ev 12 \u{e9}\u{ff}",
        "an 0 23 walk",
        "an 23 0 walk",
        "an 0 23",
        "an 0 0x5 walk",
        "an 0 1e39 walk",
        "bl Hips",
        "bl +children",
        "bl Hips +children",
        "evx 1 step",
        "EV 1 step",
        &format!("ev 1 {long}"),
    ] {
        for before in
            ["", "bl Arm\n", "bl Arm\nev 1 a\n", "bl Arm\nan 0 30 all\n", "what is this\n"]
        {
            let after =
                "an 0 9 end\n# a comment that is long enough for the loads of the fast path\n";
            let filler = "# and a second one, so that no line above is close to the end";
            compare(&format!("# start\nas Set\n{before}{line}\n{after}{filler}\n"));
        }
    }
}
