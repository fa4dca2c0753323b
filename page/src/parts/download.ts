// Gives data to the person as a file.
export function download(file: string, data: BlobPart, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([data], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
