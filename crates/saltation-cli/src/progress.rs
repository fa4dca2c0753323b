//! The progress of a long computation: a line on standard error, and interruption by signals.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shorter runs show no progress.
const SHOWN_AFTER: Duration = Duration::from_secs(2);
/// The shortest time between two updates of the line.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// Has a signal come since the present run began? A process has one handler of signals, set by the first run.
static STOPPED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// Whether a signal has come since the present run began.
pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// The progress of one run.
#[derive(Debug)]
pub(crate) struct Progress {
    began: Instant,
    wanted: bool,
    shown: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Begins now. From here on the first Ctrl-C, or signal to terminate or hang up, interrupts the run; the second one ends the program.
    pub(crate) fn begin(quiet: bool) -> Progress {
        STOPPED.store(false, Ordering::Relaxed);
        HANDLER.call_once(|| {
            // Where no handler can be set, Ctrl-C ends the program as usual.
            let _ = ctrlc::set_handler(|| {
                // The second signal does not wait for the end of a step.
                if STOPPED.swap(true, Ordering::Relaxed) {
                    std::process::exit(130);
                }
            });
        });
        let wanted = !quiet && std::io::stderr().is_terminal();
        let began = Instant::now();
        Progress { began, wanted, shown: began, bar: None }
    }

    fn look(&mut self, share: Option<f64>, message: &dyn Fn() -> String) -> bool {
        if self.wanted && self.began.elapsed() > SHOWN_AFTER && self.shown.elapsed() > UPDATE_INTERVAL {
            self.shown = Instant::now();
            self.show(share, message());
        }
        !is_stopped()
    }

    fn show(&mut self, share: Option<f64>, message: String) {
        if self.bar.as_ref().is_some_and(|bar| bar.length().is_some() != share.is_some()) {
            self.finish();
        }
        let bar = self.bar.get_or_insert_with(|| {
            let (length, template) = match share {
                Some(_) => (Some(1_000_000), "{wide_bar} {percent} %  {msg}  {eta} left"),
                None => (None, "{spinner} {msg}"),
            };
            let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
            // The templates are constants and well formed; the default bar is a fallback.
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.reset_eta();
            bar
        });
        match share {
            Some(share) => bar.set_position((1e6 * share) as u64),
            None => bar.tick(),
        }
        bar.set_message(message);
    }

    /// Removes the line.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl saltation::Progress for Progress {
    fn see(&mut self, share: Option<f64>, words: &dyn Fn() -> String) -> bool {
        self.look(share, words)
    }
}
