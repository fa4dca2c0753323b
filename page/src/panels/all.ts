// All panels but the model, in their order.
import type { JSX } from "preact";
import { MotionPanel } from "./motion/panel";

export const PANELS: { id: string; title: string; Panel: () => JSX.Element }[] = [
  { id: "motion", title: "Motion", Panel: MotionPanel },
];
