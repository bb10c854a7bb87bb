//! `man`: the manual page, from the same description as everything else.

use super::Session;
use crate::args::{NAME, VERBS, command};
use crate::fail::{Failure, YES, refuse};
use clap::{Arg, ArgMatches, Command};
use clap_mangen::Man;
use std::io::{self, Write};
use yomikiri_core::Text;

/// Writes the page of a verb, or one page of all.
pub fn man(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let mut root = command(session.games, session.papers, session.look.lang);
    root.build();
    let verb = matches.get_one::<String>("verb");
    let subject = match verb {
        None => &root,
        Some(verb) => root
            .find_subcommand(verb)
            .ok_or_else(|| refuse("COMMAND", verb, Text::same(VERBS.map(|v| v.0).join(", "))))?,
    };
    let name = subject.get_bin_name().unwrap_or(NAME).replace(' ', "-");
    let page = Man::new(subject.clone()).title(name).source(format!("{NAME} {}", env!("CARGO_PKG_VERSION")));
    page.render_title(out)?;
    section(out, session.pick("NAME", "名前"), |w| page.render_name_section(w))?;
    section(out, session.pick("SYNOPSIS", "書式"), |w| page.render_synopsis_section(w))?;
    let own = |arg: &Arg| !arg.is_global_set();
    if verb.is_some() && subject.get_arguments().any(own) {
        let options = Man::new(only(subject, own));
        section(out, session.pick("OPTIONS", "オプション"), |w| options.render_options_section(w))?;
    }
    if subject.has_subcommands() {
        let heading = subject.get_subcommand_help_heading().unwrap_or_default().to_uppercase();
        writeln!(out, ".SH \"{heading}\"")?;
        below(subject, out)?;
    }
    let options = Man::new(only(&root, |arg| arg.is_global_set() || verb.is_none()));
    section(out, session.pick("GLOBAL OPTIONS", "共通オプション"), |w| {
        options.render_options_section(w)
    })?;
    if subject.get_after_help().is_some() {
        writeln!(out, ".SH \"{}\"", session.pick("NOTES", "補足"))?;
        notes(&page, out)?;
    }
    Ok(YES)
}

/// Every command below one, each with its own options.
fn below(above: &Command, out: &mut dyn Write) -> io::Result<()> {
    for command in above.get_subcommands() {
        writeln!(out, ".SS \"{}\"", command.get_bin_name().unwrap_or(command.get_name()))?;
        let page = Man::new(only(command, |arg| !arg.is_global_set()));
        body(out, |w| page.render_description_section(w))?;
        writeln!(out, ".PP")?;
        body(out, |w| page.render_synopsis_section(w))?;
        body(out, |w| page.render_options_section(w))?;
        writeln!(out, ".PP")?;
        notes(&page, out)?;
        below(command, out)?;
    }
    Ok(())
}

/// A command with some of its options hidden.
fn only(command: &Command, shown: impl Fn(&Arg) -> bool) -> Command {
    command.clone().mut_args(|arg| {
        let hidden = !shown(&arg);
        arg.hide(hidden)
    })
}

/// What stands below the help, where each line is its own.
fn notes(page: &Man, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Vec::new();
    body(&mut lines, |w| page.render_extra_section(w))?;
    for line in lines.split_inclusive(|b| *b == b'\n') {
        out.write_all(line)?;
        writeln!(out, ".br")?;
    }
    Ok(())
}

fn section(
    out: &mut dyn Write,
    heading: &str,
    render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(out, ".SH \"{heading}\"")?;
    body(out, render)
}

/// What is rendered without the headings and the preamble of its own, which are in English and repeat.
fn body(out: &mut dyn Write, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut page = Vec::new();
    render(&mut page)?;
    for line in page.split_inclusive(|b| *b == b'\n') {
        if ![".SH", ".ie ", ".el "].iter().any(|own| line.starts_with(own.as_bytes())) {
            out.write_all(line)?;
        }
    }
    Ok(())
}
