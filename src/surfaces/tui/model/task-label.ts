// How a task is called on a row: "T3", and "R1" for one that a review asked for.

export function taskLabel(address: string): string {
  return /^\d/.test(address) ? `T${address}` : address;
}
