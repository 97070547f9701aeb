const GIVE_UP_AFTER = 10; // tries of one call
const LONGEST_PAUSE = 8_000; // milliseconds

/**
 * A `fetch` that repeats a call which got no answer, or one that asks for patience. A post must have an
 * `Idempotency-Key`: then it is carried out once, however often it arrives.
 */
export async function persistent(request: Request): Promise<Response> {
  for (let tries = 1, pause = 250; ; tries++, pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    let wait = pause;
    try {
      const answer = await fetch(request.clone()); // a request's body can be sent once
      if (answer.status !== 429 && answer.status < 500) return await whole(answer);
      if (tries === GIVE_UP_AFTER) return answer;
      wait = 1_000 * Number(answer.headers.get("Retry-After") ?? pause / 1_000);
    } catch (error) {
      if (!(error instanceof TypeError) || tries === GIVE_UP_AFTER) throw error; // `fetch` has no other for the network
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** The answer with its body, which may be lost half-way, too. */
async function whole(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, answer);
}
