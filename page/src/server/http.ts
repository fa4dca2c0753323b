// Sends a request to the server of this page and reads its answer; a refusal is an error with its mistakes.
import type { Mistake } from "./types";

export class Refused extends Error {
  constructor(readonly status: number, readonly mistakes: Mistake[]) {
    super(mistakes.map((one) => one.message).join("; ") || `the server answers with status ${status}`);
  }
}

// The server does not answer at all.
export class Gone extends Error {}

export async function send(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...(body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Gone("the server does not answer");
  }
  if (response.ok) return response;
  let mistakes: Mistake[] = [];
  try {
    mistakes = ((await response.json()) as { mistakes?: Mistake[] }).mistakes ?? [];
  } catch {
    // The status is said instead.
  }
  throw new Refused(response.status, mistakes);
}

export async function json<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await send(path, body, signal)).json()) as T;
}

export function aborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
