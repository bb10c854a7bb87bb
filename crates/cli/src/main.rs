//! The program `yomikiri`; everything it does is in the library beside it.

fn main() -> std::process::ExitCode {
    yomikiri::main()
}
