// All panels but the model, in their order.
import type { JSX } from "preact";
import { BasinPanel } from "./basin/panel";
import { ContactPanel } from "./contact/panel";
import { FitPanel } from "./fit/panel";
import { MechanismPanel } from "./mechanism/panel";
import { ModesPanel } from "./modes/panel";
import { MotionPanel } from "./motion/panel";
import { OrbitsPanel } from "./orbits/panel";
import { SessionPanel } from "./session/panel";
import { SteadyPanel } from "./steady/panel";
import { SweepPanel } from "./sweep/panel";

export const PANELS: { id: string; title: string; Panel: () => JSX.Element }[] = [
  { id: "motion", title: "Trajectory", Panel: MotionPanel },
  { id: "mechanism", title: "Mechanism", Panel: MechanismPanel },
  { id: "orbits", title: "Orbits and branches", Panel: OrbitsPanel },
  { id: "sweep", title: "Sweeps", Panel: SweepPanel },
  { id: "basin", title: "Basins", Panel: BasinPanel },
  { id: "modes", title: "Modes", Panel: ModesPanel },
  { id: "contact", title: "Contact", Panel: ContactPanel },
  { id: "steady", title: "Equilibria and exponents", Panel: SteadyPanel },
  { id: "fit", title: "Fit", Panel: FitPanel },
  { id: "session", title: "Session", Panel: SessionPanel },
];
