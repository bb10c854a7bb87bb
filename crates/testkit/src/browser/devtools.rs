//! The DevTools protocol.

use super::find;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// The longest a page may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The Chromium versions tests may be trusted with: from the first one with everything our pages and tests use
/// (`checkVisibility` with options) to the newest one the whole suite has been run with. In another one the tests run
/// all the same; what that browser says of itself is then printed and not held against the page.
pub const KNOWN: RangeInclusive<u32> = 121..=156;

/// What the browser itself does not do, whatever the page would have said.
#[derive(Debug)]
struct Refused(String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// A browser with one page.
pub struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    next: u64,
    heard: Heard,
    loaded: bool,
    /// Whether its version is one of [`KNOWN`].
    known: bool,
    /// Requests under way, and those whose answers are whole: their ids and addresses.
    asked: Vec<(String, String)>,
    answered: Vec<(String, String)>,
    // Last, so that it is removed when the browser is gone.
    _profile: tempfile::TempDir,
}

/// What a page did besides what it was asked to.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Errors and warnings on the console, exceptions among them.
    pub complaints: Vec<String>,
    /// Everything it asked for: files and whatever else.
    pub requests: Vec<String>,
}

impl Browser {
    /// Starts a browser.
    pub fn start() -> Result<Browser> {
        Browser::start_with(&[])
    }

    /// Starts a browser with some flags of its own.
    pub fn start_with(flags: &[&str]) -> Result<Browser> {
        let program = find().context("there is no Chromium; YOMIKIRI_CHROMIUM may name one")?;
        let profile = tempfile::tempdir()?;
        let mut process = Command::new(&program)
            .args(["--headless=new", "--remote-debugging-port=0", "--disable-gpu", "--no-first-run"])
            // Tests open our own pages only, and containers have no sandbox to offer.
            .args(["--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio"])
            .args(flags)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} does not start", program.display()))?;
        let said = process.stderr.take().context("no standard error")?;
        let started = listening(said).and_then(|address| connect(&address));
        let socket = match started {
            Ok(socket) => socket,
            Err(error) => {
                let _ = process.kill();
                let _ = process.wait();
                return Err(error);
            }
        };
        let mut browser = Browser {
            process,
            socket,
            session: String::new(),
            next: 0,
            heard: Heard::default(),
            loaded: false,
            known: true,
            asked: Vec::new(),
            answered: Vec::new(),
            _profile: profile,
        };
        let product = browser.call("Browser.getVersion", json!({}))?["product"].clone();
        browser.known = version(product.as_str().unwrap_or_default()).is_some_and(|v| KNOWN.contains(&v));
        if !browser.known {
            eprintln!(
                "\n!! THIS BROWSER IS {product}; the tests are known to work with Chromium {} to {}.\n\
                 !! If they pass, widen KNOWN in the browser's crate; if they fail, look at the browser first.\n",
                KNOWN.start(),
                KNOWN.end()
            );
        }
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach)?;
        browser.session = session["sessionId"].as_str().context("no session")?.to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(browser)
    }

    /// Opens an address and waits until everything has loaded.
    pub fn goto(&mut self, address: &str) -> Result<()> {
        self.loaded = false;
        let gone = self.call("Page.navigate", json!({"url": address}))?;
        ensure!(gone["errorText"].is_null(), "{address}: {}", gone["errorText"]);
        let end = Instant::now() + PATIENCE;
        while !self.loaded {
            ensure!(Instant::now() < end, "{address} does not finish loading");
            let message = self.read()?;
            self.hear(&message);
        }
        Ok(())
    }

    /// Opens a file.
    pub fn open(&mut self, file: &Path) -> Result<()> {
        let file = file.canonicalize().with_context(|| format!("{}", file.display()))?;
        self.goto(&format!("file://{}", file.display()))
    }

    /// What an expression comes to on the page, as JSON; a promise is waited for.
    pub fn eval(&mut self, expression: &str) -> Result<Value> {
        let ask = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", ask)?;
        if !answer["exceptionDetails"].is_null() {
            bail!("{expression}: {}", answer["exceptionDetails"]);
        }
        Ok(answer["result"]["value"].clone())
    }

    /// Gives the page a size in CSS pixels.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<()> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size).map(drop)
    }

    /// Sets whether the reader prefers dark pages.
    pub fn dark(&mut self, dark: bool) -> Result<()> {
        self.prefer(dark, false)
    }

    /// Sets whether the reader prefers dark pages, and whether nothing is to move on them.
    pub fn prefer(&mut self, dark: bool, still: bool) -> Result<()> {
        let colours = if dark { "dark" } else { "light" };
        let motion = if still { "reduce" } else { "no-preference" };
        let media = json!({"features": [
            {"name": "prefers-color-scheme", "value": colours},
            {"name": "prefers-reduced-motion", "value": motion}]});
        self.call("Emulation.setEmulatedMedia", media).map(drop)
    }

    /// Sets the languages the reader understands, as `ja,en`.
    pub fn languages(&mut self, list: &str) -> Result<()> {
        let agent = self.eval("navigator.userAgent")?;
        self.call("Emulation.setUserAgentOverride", json!({"userAgent": agent, "acceptLanguage": list}))
            .map(drop)
    }

    /// Waits until an expression comes to something true, and says what.
    pub fn until(&mut self, expression: &str) -> Result<Value> {
        let end = Instant::now() + PATIENCE;
        loop {
            // A page that is just being left refuses to answer; the one that comes after it does not.
            let found = match self.eval(expression) {
                Err(error) if error.is::<Refused>() && Instant::now() < end => Value::Null,
                answer => answer?,
            };
            let nothing = found.is_null() || found == false || found == "" || found == 0;
            if !nothing {
                return Ok(found);
            }
            ensure!(Instant::now() < end, "it never happens: {expression}");
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    /// The middle of the first element of a selector, where it can be seen.
    fn middle(&mut self, selector: &str) -> Result<Value> {
        let quoted = Value::from(selector).to_string();
        let found = self.until(&format!(
            "(() => {{ const e = document.querySelector({quoted}); if (!e) return null; \
             e.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}}); const b = e.getBoundingClientRect(); \
             return b.width && b.height ? [b.x + b.width / 2, b.y + b.height / 2] : null; }})()"
        ));
        found.with_context(|| format!("nothing to click: {selector}"))
    }

    /// Taps the first element of a selector with a finger.
    pub fn tap(&mut self, selector: &str) -> Result<()> {
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}))?;
        let at = self.middle(selector)?;
        let down = json!({"type": "touchStart", "touchPoints": [{"x": at[0], "y": at[1]}]});
        self.call("Input.dispatchTouchEvent", down)?;
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}))?;
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": false})).map(drop)
    }

    /// Clicks on the first element of a selector with the mouse.
    pub fn click(&mut self, selector: &str) -> Result<()> {
        let at = self.middle(selector)?;
        for kind in ["mousePressed", "mouseReleased"] {
            let mouse = json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", mouse)?;
        }
        Ok(())
    }

    /// Drags from the middle of one element to that of another, with the mouse or a finger; both are in sight together.
    pub fn drag(&mut self, from: &str, to: &str, finger: bool) -> Result<()> {
        let to = self.middle(to)?;
        let quoted = Value::from(from).to_string();
        let from = self.eval(&format!("(() => {{ const b = document.querySelector({quoted}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"))?;
        let part = |at: usize, share: f64| {
            let (a, b) = (from[at].as_f64().unwrap_or(0.0), to[at].as_f64().unwrap_or(0.0));
            a + (b - a) * share
        };
        if finger {
            self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}))?;
        }
        for (kind, touch, share) in [
            ("mousePressed", "touchStart", 0.0),
            ("mouseMoved", "touchMove", 0.4),
            ("mouseMoved", "touchMove", 1.0),
            ("mouseReleased", "touchEnd", 1.0),
        ] {
            let (x, y) = (part(0, share), part(1, share));
            if finger {
                let points = if touch == "touchEnd" { json!([]) } else { json!([{"x": x, "y": y}]) };
                self.call("Input.dispatchTouchEvent", json!({"type": touch, "touchPoints": points}))?;
            } else {
                let mouse =
                    json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
                self.call("Input.dispatchMouseEvent", mouse)?;
            }
        }
        if finger {
            self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": false}))?;
        }
        Ok(())
    }

    /// Presses a key: a letter or sign, or a name such as `Enter`, `Tab`, `ArrowLeft`, `Escape`.
    pub fn key(&mut self, key: &str) -> Result<()> {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => key.to_uppercase().bytes().next().map_or(0, i32::from),
        };
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let press = json!({"type": down, "key": key, "text": text, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", press)?;
        let lift = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", lift).map(drop)
    }

    /// Types into what has the focus.
    pub fn write(&mut self, text: &str) -> Result<()> {
        self.call("Input.insertText", json!({"text": text})).map(drop)
    }

    /// Loads the page again.
    pub fn reload(&mut self) -> Result<()> {
        let address = self.eval("location.href")?;
        self.goto("about:blank")?;
        self.goto(address.as_str().unwrap_or_default())
    }

    /// What the page was answered since the last time: addresses that hold `part`, with the text that came back.
    pub fn answers(&mut self, part: &str) -> Result<Vec<(String, String)>> {
        self.eval("new Promise(done => setTimeout(done, 0))")?;
        let mut all = Vec::new();
        for (request, address) in std::mem::take(&mut self.answered) {
            if address.contains(part) {
                let body = self.call("Network.getResponseBody", json!({"requestId": request}))?;
                all.push((address, body["body"].as_str().unwrap_or_default().to_owned()));
            }
        }
        Ok(all)
    }

    /// A picture of what is seen, or of the whole page, as PNG.
    pub fn screenshot(&mut self, whole: bool) -> Result<Vec<u8>> {
        let ask = json!({"format": "png", "captureBeyondViewport": whole});
        let ask = if whole {
            let size =
                self.eval("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")?;
            json!({"format": "png", "captureBeyondViewport": true,
                "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}})
        } else {
            ask
        };
        let shot = self.call("Page.captureScreenshot", ask)?;
        let data = shot["data"].as_str().context("no picture")?;
        Ok(data_encoding::BASE64.decode(data.as_bytes())?)
    }

    /// What was heard since the last time.
    pub fn heard(&mut self) -> Result<Heard> {
        // Whatever the page has said until now is there when this is answered.
        self.eval("new Promise(done => setTimeout(done, 0))")?;
        Ok(std::mem::take(&mut self.heard))
    }

    fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        self.next += 1;
        let mut ask = json!({"id": self.next, "method": method, "params": params});
        if !self.session.is_empty() {
            ask["sessionId"] = self.session.as_str().into();
        }
        self.socket.send(Message::text(ask.to_string()))?;
        let end = Instant::now() + PATIENCE;
        loop {
            ensure!(Instant::now() < end, "{method} is not answered");
            let message = self.read()?;
            if message["id"] == self.next {
                if !message["error"].is_null() {
                    return Err(Refused(format!("{method}: {}", message["error"])).into());
                }
                return Ok(message["result"].clone());
            }
            self.hear(&message);
        }
    }

    fn read(&mut self) -> Result<Value> {
        loop {
            if let Message::Text(text) = self.socket.read().context("the browser is silent")? {
                return Ok(serde_json::from_str(&text)?);
            }
        }
    }

    fn hear(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.consoleAPICalled") => {
                let kind = params["type"].as_str().unwrap_or_default();
                if ["error", "warning", "assert"].contains(&kind) {
                    self.heard.complaints.push(format!("{kind}: {}", params["args"]));
                }
            }
            Some("Runtime.exceptionThrown") => {
                self.heard.complaints.push(format!("exception: {}", params["exceptionDetails"]));
            }
            Some("Log.entryAdded") => {
                let entry = &params["entry"];
                if ["error", "warning"].contains(&entry["level"].as_str().unwrap_or_default()) {
                    let source = entry["source"].as_str().unwrap_or_default();
                    let said = format!("{source} {}: {} {}", entry["level"], entry["text"], entry["url"]);
                    // Advice of a browser we do not know is no fault of the page.
                    if self.known || ["network", "javascript"].contains(&source) {
                        self.heard.complaints.push(said);
                    } else {
                        eprintln!("!! this browser, whose version is not among the known ones, says: {said}");
                    }
                }
            }
            Some("Network.requestWillBeSent") => {
                let address = params["request"]["url"].as_str().unwrap_or_default();
                self.heard.requests.push(address.to_owned());
                self.asked
                    .push((params["requestId"].as_str().unwrap_or_default().to_owned(), address.to_owned()));
            }
            Some("Network.loadingFinished") => {
                let done = self.asked.iter().position(|(id, _)| params["requestId"] == id.as_str());
                if let Some(at) = done {
                    self.answered.push(self.asked.swap_remove(at));
                }
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to close it also ends its helpers; a browser that does not hear is killed.
        let _ = self.socket.send(Message::text(json!({"id": 0, "method": "Browser.close"}).to_string()));
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            if let Ok(Some(_)) = self.process.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The number before the first point of a product as `HeadlessChrome/156.0.8078.79`.
fn version(product: &str) -> Option<u32> {
    product.split_once('/')?.1.split('.').next()?.parse().ok()
}

/// The address the browser says it listens on.
fn listening(said: impl std::io::Read + Send + 'static) -> Result<String> {
    let (tell, told) = std::sync::mpsc::channel();
    // Goes on reading, so that the browser never waits for us.
    std::thread::spawn(move || {
        for line in BufReader::new(said).lines().map_while(Result::ok) {
            if let Some(address) = line.strip_prefix("DevTools listening on ") {
                let _ = tell.send(address.trim().to_owned());
            }
        }
    });
    told.recv_timeout(PATIENCE).context("the browser does not say where it listens")
}

fn connect(address: &str) -> Result<WebSocket<TcpStream>> {
    let host = address.strip_prefix("ws://").and_then(|rest| rest.split('/').next()).context("no address")?;
    let stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let (socket, _) = tungstenite::client(address, stream).map_err(|e| anyhow::anyhow!("{e}"))?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_versions_are_read_from_products() {
        assert_eq!(version("HeadlessChrome/156.0.8078.79"), Some(156));
        assert_eq!(version("Chrome/121.0.0.0"), Some(121));
        assert_eq!(version("Chrome"), None);
        assert_eq!(version("Chrome/new"), None);
    }
}
