// Begins: reads what the server was started with, shows the page, and keeps the motion in step with the values.
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
import { open } from "./session/files";
import { clear } from "./session/requests";
import { opening, tab } from "./session/view";
import "./style/page.css";

async function begin(): Promise<void> {
  try {
    const given = await json<Begin>("begin");
    folder.value = given.folder;
    name.value = given.model.name;
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
  if (news !== "same") {
    // Answers are about the model that they were asked for; another text begins anew.
    clear();
    for (const job of jobs) job.clear();
  }
  if (news === "model") {
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
