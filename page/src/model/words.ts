// The words of the page for the fields of questions, in its forms and in messages, which name fields as flags of the command.
const LABELS: Record<string, Record<string, string>> = {
  simulate: { until: "until", returns: "returns", settle: "leave out the first", section: "section" },
  orbit: { settle: "transient", period: "period in returns", section: "section" },
  continue: { along: "along", range: "from … to", points: "points", step: "longest step", switch: "all branches that bifurcate", settle: "transient", period: "period in returns", section: "section" },
  continue_equilibrium: { along: "along", range: "from … to", switch: "limit cycles too" },
  curve: { along: "the second parameter", range: "from … to" },
  sweep: { along: "along", settle: "transient", record: "record", carry: "carry" },
  basin: { settle: "transient" },
  lyapunov: { returns: "over", settle: "after a transient of" },
  modes: { periods: "periods from … to", ipp: "impacts per period", near: "or near", family: "families" },
};
const COMMON: Record<string, string> = { start: "Initial values", set: "Parameters", json: "JSON" };
// Where the page asks what a command asks.
const PANELS: Record<string, string> = {
  simulate: "Trajectory", orbit: "Orbits and branches", continue: "Orbits and branches", curve: "Orbits and branches", sweep: "Sweeps", basin: "Basins", modes: "Modes",
  contact: "Contact", equilibrium: "Equilibria and exponents", lyapunov: "Equilibria and exponents", check: "Model",
};

export function label(question: string, field: string): string {
  return LABELS[question]?.[field] ?? field.replaceAll("_", " ");
}

// A message in the words of the page: fields by their labels, questions by their panels. What the page has no field for is a field of the command.
export function plain(question: string, text: string): string {
  return text
    // Messages of the library call a trajectory a motion.
    .replace(/\bmotion(s?)\b/g, (_, more: string) => (more ? "trajectories" : "trajectory"))
    .replace(/`?saltation ([a-z]+)((?: [A-Z]+)*)((?: --[a-z][a-z0-9-]*(?: [A-Z]+\b)?)*)`?/g, (whole, command: string) => (PANELS[command] ? `the panel “${PANELS[command]}”` : whole))
    .replace(/`?--([a-z][a-z0-9-]*)`?((?: [A-Z]{1,8}\b)?)/g, (_, flag: string, value: string) => {
      const name = flag.replaceAll("-", "_");
      const known = LABELS[question]?.[name] ?? COMMON[name];
      return known ? `“${known}”` : `“${name.replaceAll("_", " ")}” of the command${value}`;
    });
}
