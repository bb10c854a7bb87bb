//! How benches say what they have measured: a line each, beside what was aimed at.

/// What is measured, over its lines.
pub fn head(what: &str) {
    println!("{what:<58} {:>38}  {:<26}", "measured", "target");
}

/// Something that was measured, what was aimed at, and whether that is met.
pub fn line(what: &str, measured: &str, target: &str, met: Option<bool>) {
    let mark = match met {
        Some(true) => "met",
        Some(false) => "MISSED",
        None => "",
    };
    println!("{what:<58} {measured:>38}  {target:<26} {mark}");
}
