// One match at the table: it keeps the state, shows what happens event by event, and makes the calls.

import { boneyard } from "./boneyard.js";
import { button, make } from "./dom.js";
import { felt } from "./felt.js";
import { framesOf } from "./frames.js";
import { hand, playable } from "./hand.js";
import { hints } from "./hints.js";
import { countHand, countMatch, like, liked, SPEEDS } from "./keep.js";
import { live } from "./live.js";
import { log } from "./log.js";
import { review } from "./review.js";
import { seats } from "./seats.js";
import { messageOf, pause, Problem } from "./service.js";
import { sheet } from "./sheet.js";
import { outcomeOf, said, turnOf } from "./words.js";

const BETWEEN_HANDS = 3000; // milliseconds to look at a hand of CPU seats that is over
const LOST = "The connection was lost. This page connects again by itself.";

/** @import { End, Event, Level, Match, Moved, Move, Ticket } from "./types.js" */
/** @import { Frame } from "./frames.js" */
/** @import { Speed } from "./keep.js" */
/** @import { Service } from "./service.js" */

/**
 * @param {{
 *   service: Service,
 *   ticket: Ticket,
 *   match: Match,
 *   events: Event[],
 *   say: (text: string) => void,
 *   waitingRoom: (match: Match, before: ChildNode | null) => Node | null,
 *   begun: boolean,
 *   endings: { id: string, label: string, action: () => void }[],
 * }} given `say` tells a screen reader; `waitingRoom` is what is shown while seats are open,
 *   given what it was before; `begun` says that the match begins now, so that its first
 *   moves are shown too; `endings` is what can be done once it is over.
 */
export function table({ service, ticket, match: first, events, say, waitingRoom, begun, endings }) {
  const seat = first.viewer.seat;
  const token = (seat === null ? null : ticket.seats[seat]) ?? ticket.host;
  const opening = begun ? framesOf(first, events) : [];
  let latest = first;
  let shown = opening[0]?.match ?? first;
  let known = events.at(-1)?.seq ?? 0;
  let logged = events.length - opening.length; // how many of the events the log has
  /** @type {Frame[]} */
  let queue = [...opening];
  /** @type {string | null} */
  let chosen = null;
  let calling = false;
  let showing = false;
  let isSlow = false; // an answer takes long enough to say so
  let closed = false;
  let isAdrift = false; // the focus waits on the felt for something to do
  let isUnreachable = false; // what is said of the last call is true until there is a connection again
  let isStuck = false; // the last call was refused: what goes on by itself waits to be asked
  let hurry = () => {};
  /** @type {(() => void)[]} */
  const waiting = [];
  const closing = new AbortController();

  const parts = {
    felt: felt({ onEnd: (end) => chosen && play(chosen, end) }),
    hand: hand({ onTile: choose }),
    boneyard: boneyard({ onDraw: (position) => act("draw", { position }) }),
    seats: seats({ onLevel: changeLevel, ahead: () => service.ahead }),
    hints: hints({ ask: () => service.hint(ticket.id, token), onChoose: makeMove }),
    sheet: sheet(),
    log: log(),
    review: review({ ask: (number) => service.review(ticket.id, number), events }),
  };
  const status = make("p", { id: "status", class: "status" });
  const trouble = make("p", { id: "trouble", class: "trouble", role: "alert" });
  const outcome = make("div", { id: "outcome", class: "outcome" });
  const choice = make("div", { id: "choice", class: "controls", role: "group" });
  const controls = make("div", { id: "controls", class: "controls", role: "group", "aria-label": "Moves" });
  const line = make("p", { id: "line" });
  const speed = make("select", { id: "speed", change: changeSpeed });
  const drawForMe = make("input", { type: "checkbox", id: "draw-for-me", change: changeDrawing });
  const keys = make("input", { type: "checkbox", id: "keys", change: () => like({ keys: keys.checked }) });
  const room = make("div", { id: "room" });
  const { places } = parts.seats;
  parts.felt.element.id = "felt";

  const element = make(
    "div",
    { class: "table" },
    make(
      "div",
      { class: "play" },
      make("div", { class: "around" }, places.west, places.north, places.east, parts.felt.element),
      parts.boneyard.element,
      room,
      outcome,
      make(
        "div",
        { class: "mine" },
        make("div", { class: "turn-bar" }, places.south, status, choice, controls),
        trouble,
        parts.hand.element,
      ),
    ),
    make(
      "aside",
      { class: "side", "aria-label": "About this match" },
      make(
        "div",
        { class: "settings" },
        make("label", {}, "Speed ", speed),
        first.rules.drawing !== "never" && seat !== null && make("label", {}, drawForMe, " Draw for me"),
        make("label", { title: "Letters make moves: D draws, P passes, L and R choose an end" }, keys, " Keys"),
      ),
      parts.hints.element,
      parts.review.element,
      parts.sheet.element,
      parts.log.element,
      make("details", { class: "line" }, make("summary", {}, "The line in words"), line),
    ),
  );

  /** Whether the state on the screen is the present one, and nothing is under way. */
  const isReady = () => !calling && !showing && queue.length === 0;
  /** As whom CPU seats may be stepped, their levels changed and the next hand dealt. */
  const isHost = () => ticket.host !== null || latest.seats.filter(({ kind }) => kind !== "cpu").length === 1;

  // What happens: calls, news, and showing them

  /**
   * Make a call, and show what it caused. A refused one says why, and the table is looked at again.
   *
   * @param {() => Promise<Moved>} call
   */
  async function ask(call) {
    if (calling || closed) return;
    calling = true;
    trouble.textContent = "";
    render();
    const slow = setTimeout(() => {
      isSlow = true;
      render();
    }, 600);
    let isDone = false;
    try {
      const { match, events: caused } = await call();
      chosen = null;
      if (match.viewer.seat === seat) await take(match, caused);
      else await look(); // it was called as the host, who sees less
      isDone = true;
    } catch (error) {
      chosen = null;
      await look().catch(() => undefined);
      trouble.textContent = messageOf(error);
      isUnreachable = !(error instanceof Problem);
    } finally {
      clearTimeout(slow);
      calling = isSlow = false;
      render();
      for (const go of waiting.splice(0)) go();
    }
    isStuck = !isDone;
    if (isDone) void onwards(); // what was refused would be refused again
    else render();
  }

  /**
   * The same for what somebody asked for that is no move: it waits until a call that is under way is over.
   *
   * @param {() => Promise<Moved>} call
   */
  async function askNext(call) {
    while (calling && !closed) await new Promise((go) => waiting.push(() => go(null)));
    return ask(call);
  }

  /**
   * Make a move, at the version that is seen: another tab may have moved on.
   *
   * @param {string} path
   * @param {object} [body]
   */
  function act(path, body = {}) {
    return ask(() => service.post(ticket.id, token, path, body, path === "step" || path === "next-hand" ? null : known));
  }

  async function look() {
    await take(await service.see(ticket.id, token), []);
  }

  /**
   * Take in a newer state, and the events that led to it. Those that are not at hand are fetched.
   *
   * @param {Match} match
   * @param {Event[]} caused
   */
  async function take(match, caused) {
    if (match.version <= known) return;
    let news = caused.filter(({ seq }) => seq > known);
    if (news[0]?.seq !== known + 1 || news.at(-1)?.seq !== match.version)
      news = (await service.events(ticket.id, token, known)).filter(({ seq }) => seq > known && seq <= match.version);
    if (match.version <= known) return;
    known = match.version;
    latest = match;
    events.push(...news);
    news.forEach(countOwn);
    queue.push(...framesOf(match, news));
    void present();
  }

  /** Show what is waiting to be shown, one event after another. */
  async function present() {
    if (showing) return;
    showing = true;
    for (let frame = queue.shift(); frame && !closed; frame = queue.shift()) {
      render();
      await wait(frame);
      if (closed) return;
      shown = frame.match;
      addToLog(shown);
      const sentence = said(frame.event, frame.match);
      if (sentence) say(sentence);
    }
    showing = false;
    if (closed) return;
    shown = latest;
    countFinished();
    render();
    if (latest.status !== "playing" || latest.hand?.turn === seat) say(turnOf(latest));
    void onwards();
  }

  /**
   * Those events, too, that have no frame of their own: in their order, after what is still being shown.
   *
   * @param {Match} match
   */
  function addToLog(match) {
    const news = events.slice(logged).filter(({ seq }) => seq <= match.version);
    for (const event of news) parts.log.add(event, match);
    logged += news.length;
  }

  /** @param {Frame} frame */
  async function wait({ event, match }) {
    const isOthers = event.seat !== null && event.seat !== seat;
    const isMove = event.type === "tile_played" || event.type === "tile_drawn" || event.type === "turn_passed";
    const { speed } = liked();
    const usual = speed === "step" ? (match.pacing === "step" ? 0 : SPEEDS.normal) : SPEEDS[speed];
    const time = latest.clock?.running?.seat === seat ? Math.min(usual, SPEEDS.fast) : usual; // it is our time that runs
    const isOpening = seat !== null && opening.some((frame) => frame.event === event); // who plays can begin at once
    if (!isOthers || !isMove || isOpening || time === 0 || document.hidden) return;
    await Promise.race([pause(event.type === "tile_played" ? time : time / 2), new Promise((done) => (hurry = () => done(null)))]);
  }

  /** What goes on by itself: CPU seats that are stepped at a speed, and drawing for somebody who wants that. */
  async function onwards() {
    if (!isReady() || closed || !latest.hand) return;
    if (latest.status === "hand_over" && !latest.seats.some(({ kind }) => kind === "human") && token && liked().speed !== "step") {
      const { version } = latest;
      await pause(BETWEEN_HANDS);
      return version === latest.version && isReady() && !closed && !document.hidden ? act("next-hand") : undefined;
    }
    if (latest.status !== "playing") return;
    const moves = latest.hand.legal_moves;
    if (moves.length > 0 && moves.every(({ type }) => type === "draw") && liked().drawForMe)
      return act("draw", latest.rules.drawing === "until_playable" ? { until_playable: true } : {});
    if (maySteps() && liked().speed !== "step") return act("step");
    return undefined;
  }

  const isOver = () => shown.status === "finished" || shown.status === "cancelled";
  const maySteps = () =>
    token !== null && latest.status === "playing" && latest.pacing === "step" &&
    latest.seats[latest.hand?.turn ?? -1]?.kind === "cpu";

  /** @param {boolean} isConnected */
  function showConnection(isConnected) {
    if (!isConnected) trouble.textContent = LOST;
    else if (trouble.textContent === LOST) trouble.textContent = "";
  }

  // What the viewer does

  /** @param {string} tile */
  function choose(tile) {
    if (!isReady()) return hurry();
    const ends = playable(latest).get(tile);
    trouble.textContent = "";
    if (!ends) {
      const [turn] = latest.hand?.legal_moves ?? [];
      trouble.textContent = turn ? `${tile} cannot be played now.` : "";
      return render();
    }
    const [only] = ends;
    if (ends.length === 1 && only !== undefined) return void play(tile, only);
    chosen = chosen === tile ? null : tile;
    render();
    return undefined;
  }

  /**
   * @param {string} tile
   * @param {End | null} end
   */
  function play(tile, end) {
    return act("play", { tile, ...(end && { end }) });
  }

  /** @param {Move} move */
  function makeMove({ type, ...body }) {
    return act(type, body);
  }

  /**
   * @param {number} which
   * @param {Level} level
   */
  function changeLevel(which, level) {
    return askNext(() => service.change(ticket.id, ticket.host ?? token, which, level));
  }

  function changeSpeed() {
    like({ speed: /** @type {Speed} */ (speed.value) });
    hurry();
    render();
    void onwards();
  }

  function changeDrawing() {
    like({ drawForMe: drawForMe.checked });
    void onwards();
  }

  function unchoose() {
    chosen = null;
    trouble.textContent = "";
    render();
  }

  /**
   * A key pressed anywhere but in a field.
   *
   * @param {KeyboardEvent} event
   */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ends = chosen ? (playable(latest).get(chosen) ?? []) : [];
    const key = event.key.toLowerCase();
    const end = ends.find((each) => each?.startsWith(key));
    if (!liked().keys && key.length === 1) return; // who speaks to a computer may not want a letter to be a move
    const id = /** @type {Record<string, string>} */ ({ d: "draw", p: "pass", n: "next-hand", s: "step", h: "hint" })[key];
    if (end) void play(chosen ?? "", end);
    else if (key === "escape") unchoose();
    else if (id) document.getElementById(id)?.click();
    else if (key.startsWith("arrow") && document.activeElement?.matches("body, main, .felt")) parts.hand.focusPlayable();
    else return;
    event.preventDefault();
  }

  // What is seen

  function render() {
    if (closed) return; // an answer may come when another page is shown
    const ready = isReady();
    const { activeElement: focused } = document;
    const hadFocus = element.contains(focused);
    const ends = chosen && ready ? (playable(latest).get(chosen) ?? []) : [];
    if (ends.length === 0) chosen = null;
    const named = /** @type {End[]} */ (ends.filter((end) => end !== null));
    parts.seats.show({ ...shown, clock: latest.clock }, isHost()); // time runs whatever is being shown
    parts.felt.show(shown, chosen ? { tile: chosen, ends: named } : null);
    parts.boneyard.show(shown, ready);
    parts.hand.show(shown, { isReady: ready, chosen });
    parts.sheet.show(shown);
    parts.hints.show(shown, ready);
    parts.review.show(shown);
    showControls(ready, named);
    status.textContent = statusOf(ready);
    showOutcome(ready);
    showRoom();
    line.textContent = shown.hand?.layout.text || (shown.hand ? latest.hand?.layout.text ?? "" : "");
    showSettings();
    showOnBody(ready);
    const isGone = hadFocus && !element.contains(document.activeElement);
    if (isGone || (isAdrift && ready && document.activeElement === parts.felt.element)) focusNext();
  }

  /** @param {boolean} ready */
  function statusOf(ready) {
    const turn = shown.hand?.turn;
    if (chosen && ready) return `Where does ${chosen} go?`;
    if (isSlow) return "Sending …";
    if (shown.status === "playing" && !ready && turn !== seat) return turnOf({ ...shown, pacing: "auto" });
    return ready || shown.status !== "playing" ? turnOf(shown) : " ";
  }

  /**
   * @param {boolean} ready
   * @param {End[]} ends
   */
  function showControls(ready, ends) {
    const types = new Set(ready ? (shown.hand?.legal_moves ?? []).map(({ type }) => type) : []);
    const drawsOn = shown.rules.drawing === "until_playable";
    choice.hidden = !chosen;
    choice.setAttribute("aria-label", `Where ${chosen} goes`);
    choice.replaceChildren(
      ...ends.map((end) => control(`choose-${end}`, endLabel(end), end[0] ?? "", () => play(chosen ?? "", end))),
      ...(chosen ? [control("take-back", "Take back", "Escape", unchoose)] : []),
    );
    controls.replaceChildren(
      ...[
        types.has("draw") && control("draw", "Draw a tile", "D", () => act("draw")),
        types.has("draw") && drawsOn && control("draw-on", "Draw until one fits", "", () => act("draw", { until_playable: true })),
        types.has("pass") && control("pass", "Pass", "P", () => act("pass")),
        types.has("next-hand") && control("next-hand", "Next hand", "N", () => act("next-hand")),
        ready && maySteps() && (isStuck || liked().speed === "step") && control("step", "Step", "S", () => act("step")),
        ...(ready && isOver() ? endings.map(({ id, label, action }) => control(id, label, "", action)) : []),
      ].filter((each) => each !== false),
    );
  }

  /** @param {End} end */
  function endLabel(end) {
    const open = shown.hand?.layout.ends.find((each) => each.end === end);
    return `${end[0]?.toUpperCase()}${end.slice(1)}${open ? `, at ${open.value}` : ""}`;
  }

  /** @param {boolean} ready */
  function showOutcome(ready) {
    outcome.hidden = !ready || !(isOver() || shown.status === "hand_over");
    if (outcome.hidden) return outcome.replaceChildren();
    const { title, lines } = outcomeOf(shown);
    return outcome.replaceChildren(make("h2", {}, title), ...lines.map((each) => make("p", {}, each)));
  }

  /** It is made anew only where other seats are open: somebody may be writing in it. */
  function showRoom() {
    const isWaiting = shown.status === "waiting";
    const open = isWaiting ? shown.seats.filter(({ kind }) => kind === "open").map(({ seat: each }) => each) : [];
    if (room.dataset.open === open.join()) return;
    room.dataset.open = open.join();
    const now = isWaiting ? waitingRoom(shown, room.firstChild) : null;
    if (now !== room.firstChild) room.replaceChildren(...(now ? [now] : []));
  }

  function showSettings() {
    const choices = [...(shown.pacing === "step" ? ["step"] : []), ...Object.keys(SPEEDS)];
    if (speed.options.length !== choices.length)
      speed.replaceChildren(...choices.map((value) => make("option", { value }, value)));
    const { speed: wanted, drawForMe: wants, keys: mayPress } = liked();
    keys.checked = mayPress;
    speed.value = choices.includes(wanted) ? wanted : "normal";
    drawForMe.checked = wants;
  }

  /** @param {boolean} ready */
  function showOnBody(ready) {
    document.body.dataset.status = shown.status;
    document.body.dataset.version = String(shown.version);
    document.body.toggleAttribute("data-busy", !ready);
  }

  /** Go where play goes on; while there is nothing to do, to the felt, until there is. */
  function focusNext() {
    const next = [choice, controls].find((each) => !each.hidden && each.firstChild)?.querySelector("button");
    if (next) next.focus();
    else parts.hand.focusPlayable();
    isAdrift = !next && !parts.hand.element.contains(document.activeElement);
    if (isAdrift) parts.felt.element.focus();
  }

  /** @param {Event} event */
  function countOwn(event) {
    const team = latest.seats[seat ?? -1]?.team;
    if (event.type !== "hand_ended" || team === undefined || latest.rules.scoring === "penalty") return;
    const { play_points, end_points } = event.result;
    countHand((play_points[team]?.points ?? 0) + (end_points[team]?.points ?? 0));
  }

  /** The match counts in the browser's records once it is over. */
  function countFinished() {
    const team = latest.seats[seat ?? -1]?.team;
    if (latest.status === "finished" && team !== undefined) countMatch(latest.id, latest.result?.winner === team);
  }

  parts.log.show(events.slice(0, logged), first);
  countFinished();
  render();
  if (begun) void present();
  else void onwards();
  const others = first.seats.filter(({ kind }) => kind !== "cpu").length;
  if (others !== 1 || seat === null || first.clock)
    void live({
      service,
      id: ticket.id,
      token,
      signal: closing.signal,
      known: () => known,
      isOver,
      onNews: async (seq) => {
        while (calling && !closed) await pause(30); // the answer to the call under way has these events
        if (seq > known && !closed) await look();
      },
      onConnection: showConnection,
    }).catch((error) => (trouble.textContent = messageOf(error)));

  return {
    element,
    press,
    get match() {
      return latest;
    },
    /** @param {string} path */
    end: (path) => askNext(() => service.post(ticket.id, path === "cancel" ? (ticket.host ?? token) : token, path)),
    /** @param {string} text */
    tell: (text) => (trouble.textContent = text),
    /** Look whether something has happened: in another tab, or while the page was asleep. */
    async refresh() {
      if (calling) return;
      await look().then(() => isUnreachable && (trouble.textContent = ""), () => undefined);
    },
    /** Give the focus to where play goes on. */
    focus: focusNext,
    close() {
      closed = true;
      closing.abort();
      hurry();
      parts.seats.stop();
    },
  };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string} key
 * @param {() => unknown} action
 */
function control(id, label, key, action) {
  const cap = key === "Escape" ? "Esc" : key.toUpperCase();
  const children = make("span", {}, label, key && make("kbd", { "aria-hidden": "true" }, cap));
  return button(children, () => void action(), { id, "aria-keyshortcuts": key || null });
}
