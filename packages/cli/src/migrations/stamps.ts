import type { MigrationFile } from './migration-file.ts'

/** Gives the times of new files one after the other, as 14 digits: the present second, and always later than the last file. */
export function stampsAfter(files: readonly MigrationFile[], now: Date): () => string {
  let next = Math.max(Math.floor(now.getTime() / 1000), secondAfter(files.at(-1)?.name ?? ''))
  return () => new Date(next++ * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
}

function secondAfter(name: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-/.exec(name) ?? []
  const [year = 0, month = 1, ...rest] = parts.map(Number)
  const [day = 1, hour = 0, minute = 0, second = 0] = rest
  return parts.length === 0 ? 0 : Date.UTC(year, month - 1, day, hour, minute, second) / 1000 + 1
}
