import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'

/** What figures were measured on, and when. */
export interface Origin {
  /** Processor, cores, memory, operating system and Node. */
  readonly machine: string
  /** The last commit of what is measured and what measures it. */
  readonly commit: string
  /** The day, as `2026-11-29`. */
  readonly date: string
}

/** The folder of the repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Tells this machine, this commit and this day. */
export function readOrigin(): Origin {
  return { machine: describeMachine(), commit: readCommit(), date: new Date().toISOString().slice(0, 10) }
}

function describeMachine(): string {
  const processors = cpus()
  const processor = `${processors.length} cores of ${processors[0]?.model.trim() ?? 'an unknown processor'}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`
  return `${processor}, ${memory}, ${describeSystem()}, ${arch()}, Node ${process.version}`
}

function describeSystem(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    if (name !== undefined) return name
  } catch {
    // Other systems have no such file.
  }
  return `${type()} ${release()}`
}

/** What figures depend on: documentation may change between two steps. */
const measured = ['packages', 'bench/src', 'pnpm-lock.yaml']

function readCommit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', [...args, '--', ...measured], { cwd: repository, encoding: 'utf8', stdio: 'pipe' }).trim()
    const changes = git('status', '--porcelain') === '' ? '' : ' with changes'
    return `${git('log', '-1', '--format=%h')}${changes}`
  } catch {
    return 'unknown'
  }
}
