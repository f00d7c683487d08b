import { readdirSync, readFileSync } from 'node:fs'

/** Nanoseconds that a thread has run. @see Documentation/scheduler/sched-stats.rst of Linux */
const runtimeOf = (path: string): number => Number(readFileSync(path, 'utf8').split(' ')[0])

/** Seconds of CPU that a process has used, its living threads together; NaN where it is gone, or the system has no `/proc`. */
function secondsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.map((id) => runtimeOf(`/proc/${pid}/task/${id}/schedstat`)).reduce((sum, one) => sum + one, 0) / 1e9
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

/** The processes that one has started, and that still run; none where the system has no `/proc`. */
export function childrenOf(parent: number): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && parentOf(pid) === parent)
  } catch {
    return []
  }
}

/** The process that started another one; NaN where that is gone, or the system has no `/proc`. */
export const parentOf = (pid: number): number => Number(statOf(pid)?.fields[1])

/** The name of the program that a process runs; undefined where it is gone, or the system has no `/proc`. */
export const programOf = (pid: number): string | undefined => statOf(pid)?.program

/** @see man 5 proc */
function statOf(pid: number): { readonly program: string; readonly fields: readonly string[] } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may hold anything.
    const [begin, end] = [text.indexOf('('), text.lastIndexOf(')')]
    return { program: text.slice(begin + 1, end), fields: text.slice(end + 2).split(' ') }
  } catch {
    return undefined
  }
}

/** Resident megabytes of a process; NaN as above. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
