// Every call of the published contract that the page makes. It knows nothing of the page.

/** @import { Created, Event, HandReview, Hint, Joined, Level, Match, MatchPage, Moved, ProblemDetails, Ruleset, SetUp } from "./types.js" */

const PATIENCE = 20_000; // milliseconds until an answer is taken for lost
const LONGEST_WAIT = 4_000; // milliseconds between two tries of the same call

/** What a refused call is told: `code` is for programs, `message` for people. */
export class Problem extends Error {
  /** @param {ProblemDetails} told */
  constructor(told) {
    const more = (told.errors ?? []).filter(({ detail }) => detail !== told.detail);
    super([told.detail, ...more.map(({ pointer, detail }) => `${pointer.replace("#/", "")}: ${detail}`)].join(" "));
    this.code = told.code;
    this.status = told.status;
    this.title = told.title;
  }
}

/** No answer came, or none that is the service's. */
class Unreachable extends Error {
  constructor() {
    super("The service cannot be reached. Try again in a moment.");
  }
}

/** @param {unknown} error Said to people. */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

export class Service {
  /** @param {string} base The address of the service, such as `https://dominoes.example/`. */
  constructor(base) {
    this.base = new URL(base, document.baseURI).href.replace(/\/*$/, "/");
    /** The service's clock less this one, in milliseconds: deadlines are by the service's. */
    this.ahead = 0;
  }

  /** @returns {Promise<Ruleset[]>} */
  async rulesets() {
    return (await this.#get("v1/rulesets", null)).items;
  }

  /**
   * @param {string | null} cursor
   * @returns {Promise<MatchPage>}
   */
  waiting(cursor = null) {
    return this.#get(`v1/matches?status=waiting&limit=20${cursor ? `&cursor=${cursor}` : ""}`, null);
  }

  /**
   * @param {SetUp} setUp
   * @returns {Promise<Created>}
   */
  create(setUp) {
    return this.#post("v1/matches", null, setUp);
  }

  /**
   * @param {string} id
   * @param {string | null} token
   * @returns {Promise<Match>}
   */
  see(id, token) {
    return this.#get(`v1/matches/${id}`, token);
  }

  /**
   * @param {string} id
   * @param {number | null} seat
   * @param {string | null} name
   * @param {string} once Its key: with the same one again, the same seat is taken.
   * @returns {Promise<Joined>}
   */
  join(id, seat, name, once) {
    const body = { ...(seat !== null && { seat }), ...(name && { name }) };
    return this.#post(`v1/matches/${id}/join`, null, body, { "Idempotency-Key": once });
  }

  /**
   * Post a move to the path that its type names, or a call such as `step`. With a version, it is made at that version of
   * the match or not at all.
   *
   * @param {string} id
   * @param {string | null} token
   * @param {string} path
   * @param {object} body
   * @param {number | null} version
   * @returns {Promise<Moved>}
   */
  post(id, token, path, body = {}, version = null) {
    return this.#post(`v1/matches/${id}/${path}`, token, body, version === null ? {} : { "If-Match": `"${version}"` });
  }

  /**
   * @param {string} id
   * @param {string | null} token
   * @param {number} seat
   * @param {Level} level
   * @returns {Promise<Moved>}
   */
  async change(id, token, seat, level) {
    return this.#answered(`v1/matches/${id}/seats/${seat}`, token, { method: "PATCH", body: JSON.stringify({ level }) });
  }

  /**
   * The log after number `after`, to its end.
   *
   * @param {string} id
   * @param {string | null} token
   * @param {number} after
   * @returns {Promise<Event[]>}
   */
  async events(id, token, after) {
    /** @type {Event[]} */
    const found = [];
    for (;;) {
      const last = found.at(-1)?.seq ?? after;
      const { items, last_seq } = await this.#get(`v1/matches/${id}/events?after=${last}&limit=500`, token);
      found.push(...items);
      if (items.length === 0 || items.at(-1).seq >= last_seq) return found;
    }
  }

  /**
   * @param {string} id
   * @param {string | null} token
   * @returns {Promise<Hint>}
   */
  hint(id, token) {
    return this.#get(`v1/matches/${id}/hint`, token);
  }

  /**
   * @param {string} id
   * @param {number} hand
   * @returns {Promise<HandReview>}
   */
  review(id, hand) {
    return this.#get(`v1/matches/${id}/review?hand=${hand}`, null);
  }

  /**
   * Each event after number `after` as it happens, until the match is over or `signal` aborts. A lost connection is made
   * again from where it was: nothing is missed and nothing comes twice.
   *
   * @param {string} id
   * @param {string | null} token
   * @param {number} after
   * @param {AbortSignal} signal
   * @param {(connected: boolean) => void} tell Told whenever the connection is there or lost.
   * @returns {AsyncGenerator<Event>}
   */
  async *follow(id, token, after, signal, tell) {
    while (!signal.aborted) {
      const headers = { ...authorization(token), "Last-Event-ID": String(after) };
      const answer = await fetch(`${this.base}v1/matches/${id}/stream`, { headers, signal }).catch(() => null);
      if (answer?.status === 204) return;
      if (answer && isRefusal(answer)) throw new Problem(await answer.json());
      if (answer?.ok && answer.body) {
        tell(true);
        try {
          for await (const event of sent(answer.body)) {
            after = event.seq;
            yield event;
          }
        } catch (error) {
          if (!isLost(error)) throw error;
        }
      }
      if (signal.aborted) return;
      if (!answer?.ok) tell(false);
      await pause(Math.max(500, retryAfter(answer)));
    }
  }

  /**
   * @param {string} path
   * @param {string | null} token
   */
  #get(path, token) {
    return this.#answered(path, token, {});
  }

  /**
   * Post until there is an answer: the key makes sure that it is carried out once, however often it was sent.
   *
   * @param {string} path
   * @param {string | null} token
   * @param {object} body
   * @param {Record<string, string>} [headers]
   */
  #post(path, token, body, headers = {}) {
    return this.#answered(path, token, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Idempotency-Key": key(), ...headers },
    });
  }

  /**
   * @param {string} path
   * @param {string | null} token
   * @param {RequestInit} request
   * @returns {Promise<any>}
   */
  async #answered(path, token, request) {
    const headers = {
      ...authorization(token),
      ...(request.body ? { "Content-Type": "application/json" } : {}),
      ...request.headers,
    };
    for (let wait = 250; ; wait *= 2) {
      const signal = AbortSignal.timeout(PATIENCE);
      const answer = await fetch(this.base + path, { ...request, headers, signal }).catch(() => null);
      const told = await answer?.json().catch(() => null); // an answer may be lost half-way, too
      if (answer && told) {
        this.ahead = Date.parse(answer.headers.get("Date") ?? "") - Date.now() || 0;
        if (answer.ok) return told;
        if (isRefusal(answer) || retryAfter(answer) > LONGEST_WAIT) throw new Problem(told);
      }
      if (wait > LONGEST_WAIT) throw new Unreachable();
      await pause(Math.max(wait, retryAfter(answer)));
    }
  }
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** 32 characters of chance; unlike `randomUUID`, it can be had over plain HTTP too. */
export function key() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string | null} token
 * @returns {Record<string, string>}
 */
function authorization(token) {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/**
 * Whether the same call would be refused again.
 *
 * @param {Response} answer
 */
function isRefusal({ status }) {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/**
 * How many milliseconds the service asks to wait for.
 *
 * @param {Response | null} answer
 */
function retryAfter(answer) {
  return 1000 * (Number(answer?.headers.get("Retry-After")) || 0);
}

/** @param {unknown} error */
function isLost(error) {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");
}

/**
 * The events of a stream that the service sends.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<Event>}
 */
async function* sent(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) yield JSON.parse(data.slice(6));
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
