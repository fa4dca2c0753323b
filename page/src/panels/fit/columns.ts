// The names of the columns of a CSV file: its first line that is no remark, with the sign between cells that stands in it most often.
export function columns(text: string): string[] {
  const head = text.replace(/^\ufeff/, "").split(/\r?\n/).find((line) => line.trim() && !line.startsWith("#")) ?? "";
  const between = [",", ";", "\t"].reduce((best, sign) => (head.split(sign).length >= head.split(best).length ? sign : best));
  return head.split(between).map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
}
