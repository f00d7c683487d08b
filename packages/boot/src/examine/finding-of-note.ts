import type { Effect, Note, NoteLevel } from '../boot-report.ts'
import type { Finding } from './finding.ts'

const effects: Readonly<Record<NoteLevel, Effect>> = { ignored: 'fails', differs: 'differs', info: 'info' }

/** What a line of the report of the start means to an examination. */
export function findingOfNote({ file, key, level, reason, advice, effect }: Note): Finding {
  // Notes about scripts name lines in place of a key.
  const line = /^line (\d+)$/.exec(key ?? '')?.[1] ?? (key === undefined ? /: line (\d+)/.exec(reason)?.[1] : undefined)
  const place = line === undefined ? { key } : { line: Number(line) }
  return { effect: effect ?? effects[level], file, ...place, reason: withoutPlace(reason), advice }
}

/** Messages of errors end with their place, which stands beside them here. */
function withoutPlace(reason: string): string {
  return reason.replace(/ \(model [^()]*\)$/, '')
}
