// Reads server-sent events from the body of a response, one after the other.
export interface Event {
  name: string;
  data: string;
}

export class Events {
  private rest = "";

  // The events that are complete with this piece of text.
  take(piece: string): Event[] {
    this.rest += piece;
    const blocks = this.rest.split(/\r?\n\r?\n/);
    this.rest = blocks.pop() ?? "";
    return blocks.map(event).filter((one): one is Event => one !== null);
  }
}

function event(block: string): Event | null {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  return data.length ? { name, data: data.join("\n") } : null;
}

export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new Events();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.take(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.releaseLock();
  }
}
