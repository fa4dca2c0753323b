// Begins: reads what the server was started with, goes on with what this tab had, and keeps the trajectory in step with the values.
import { render } from "preact";
import { App } from "./app";
import { check, mistakes, name, text, typedSet, typedStart, whenChecked } from "./model/state";
import { forms } from "./parts/form";
import { chosen, motion, wish } from "./panels/motion/live";
import { folder } from "./panels/take_home";
import { watch } from "./server/alive";
import { json } from "./server/http";
import { jobs } from "./server/job";
import type { Begin } from "./server/types";
import { open, said } from "./session/files";
import { before, keep } from "./session/keep";
import { clear } from "./session/requests";
import { opening, tab } from "./session/view";
import "./style/page.css";

async function begin(): Promise<void> {
  try {
    const given = await json<Begin>("begin");
    folder.value = given.folder;
    name.value = given.model.name;
    const begun = `${given.model.name}\n${given.model.text}`;
    const kept = before();
    const own = kept && typeof kept !== "string" && kept.begun === begun ? kept : null;
    keep(given.version, begun, own !== null);
    if (own) {
      await open(own.session, own);
      if (said.value && own.version !== given.version) said.value = `${said.value}; the work is of version ${own.version}, the program is ${given.version} now`;
      return;
    }
    if (typeof kept === "string") said.value = `Not restored: ${kept}`;
    if (given.session) await open(given.session);
    else await check({ text: given.model.text }, given.model.name);
  } catch (error) {
    mistakes.value = [{ message: error instanceof Error ? error.message : String(error) }];
  }
}

opening.listen(wish);
typedSet.listen(wish);
typedStart.listen(wish);
tab.listen(wish);
whenChecked((news) => {
  if (news === "model") {
    // Answers of another text of the same model stay, and are marked as out of date.
    clear();
    for (const job of jobs) job.clear();
    chosen.value = null;
    for (const form of Object.values(forms)) form.reset();
    motion.value = null;
  }
  wish();
});

render(<App />, document.getElementById("page")!);
void begin();
watch((again) => {
  folder.value = again.folder;
  // What was being asked when the server ended is asked anew.
  void check({ text: text.value });
});
