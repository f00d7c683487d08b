import { readFileSync } from 'node:fs'

/** The kernel counts CPU time in hundredths of a second for programs, whatever it counts in itself. @see man 5 proc */
const ticksPerSecond = 100

/** Seconds of CPU that a process has used; NaN where it is gone, or the system has no `/proc`. */
function secondsOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** Seconds of CPU of each of these processes. */
export type CpuOfProcesses = ReadonlyMap<number, number>

/** Looks what these processes have used. */
export const readCpuOf = (pids: readonly number[]): CpuOfProcesses => new Map(pids.map((pid) => [pid, secondsOf(pid)]))

/** Seconds of CPU between two looks; a process that was not there before began in between, and one that is gone is left out. */
export function cpuBetween(before: CpuOfProcesses, after: CpuOfProcesses): number {
  const used = [...after].map(([pid, seconds]) => seconds - (before.get(pid) ?? 0))
  return used.filter((seconds) => seconds >= 0).reduce((sum, seconds) => sum + seconds, 0)
}

/** Resident megabytes of a process; NaN as above. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
