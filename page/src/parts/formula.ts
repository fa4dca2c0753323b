// The value of a formula that is typed, for bounds and axes of the page: arithmetic, common functions, pi and parameters. Anything else is left to the server.
const FUNCTIONS: Record<string, (x: number) => number> = { sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tan: Math.tan, exp: Math.exp, log: Math.log, abs: Math.abs };
const TOKEN = /\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[\p{L}_][\p{L}\p{N}_]*|[-+*/^()])/uy;

// Null where the text is no such formula; NaN or infinite where it has no finite value.
export function evaluate(text: string, parameter: (name: string) => number | undefined = () => undefined): number | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    tokens.push(found[1]!);
  }
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError("no formula");
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const product = (): number => {
    let value = signed();
    while (tokens[at] === "*" || tokens[at] === "/") value = tokens[at++] === "*" ? value * signed() : value / signed();
    return value;
  };
  const signed = (): number => (tokens[at] === "-" ? (at++, -signed()) : tokens[at] === "+" ? (at++, signed()) : power());
  const power = (): number => {
    const base = atom();
    return tokens[at] === "^" ? (at++, base ** signed()) : base;
  };
  const atom = (): number => {
    const token = tokens[at++] ?? fail();
    if (token === "(") {
      const value = sum();
      if (tokens[at++] !== ")") fail();
      return value;
    }
    if (/^[\d.]/.test(token)) return Number(token);
    const call = FUNCTIONS[token];
    if (call && tokens[at] === "(") return call(atom());
    return parameter(token) ?? (token === "pi" ? Math.PI : fail());
  };
  try {
    const value = sum();
    return at === tokens.length ? value : null;
  } catch {
    return null;
  }
}
