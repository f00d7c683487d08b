/** `ignored`: it has no effect. `differs`: it works, but not as in LoopBack. `info`: worth knowing. */
export type NoteLevel = 'info' | 'ignored' | 'differs'

/** What happens to a part of an application: it does not run, it works differently than in LoopBack, or as there. */
export type Effect = 'fails' | 'differs' | 'info'

/** The details of a note for an examination. */
export interface NoteDetails {
  /** What to do about it. */
  readonly advice?: string
  /** Set if the level is less precise: what LoopBack also ignores is `info`. */
  readonly effect?: Effect
  /** The package whose installation would resolve it. */
  readonly missingPackage?: string | undefined
}

/** One line of the report. */
export interface Note extends NoteDetails {
  /** Relative to the application's folder. */
  readonly file: string
  /** Keys joined by dots. */
  readonly key?: string | undefined
  readonly level: NoteLevel
  readonly reason: string
}

/** What is reachable. */
export interface Served {
  /** Paths of the REST API. */
  readonly paths: readonly string[]
  /** Public models with their paths below each root. */
  readonly models: readonly { readonly name: string; readonly path: string; readonly dataSource: string | undefined }[]
  /** Data sources with the names of their connectors. */
  readonly dataSources: readonly { readonly name: string; readonly connector: string }[]
  /** Other middleware, such as `cors`. */
  readonly middleware: readonly string[]
}

/** The findings of an application's startup. */
export interface BootReport {
  readonly dir: string
  readonly env: string
  readonly version: 2 | 3
  readonly notes: readonly Note[]
  readonly served: Served
}

/** Adds a line to the report. Equal lines are reported once. */
export type AddNote = (
  level: NoteLevel,
  place: { file: string; key?: string },
  reason: string,
  details?: NoteDetails
) => void

/** A list of notes and the function that adds to it. */
export interface NoteCollection {
  readonly notes: readonly Note[]
  readonly add: AddNote
}

/** Makes an empty list of notes. */
export function collectNotes(): NoteCollection {
  const notes: Note[] = []
  const seen = new Set<string>()
  const add: AddNote = (level, { file, key }, reason, details = {}) => {
    const line = JSON.stringify([file, key, reason])
    if (seen.has(line)) return
    seen.add(line)
    notes.push({ file, key, level, reason, ...details })
  }
  return { notes, add }
}

const headings: readonly (readonly [NoteLevel, string])[] = [
  ['ignored', 'Not honoured'],
  ['differs', 'Works differently'],
  ['info', 'Good to know']
]

/** The report as text for the log: first what is served, then what is not honoured and why. */
export function formatReport({ dir, env, version, served, notes }: BootReport): string {
  const modelLines = served.models.map(
    ({ name, path, dataSource }) => `  ${name} at /${path} (${dataSource ?? 'no data source'})`
  )
  const sections = headings.flatMap(([level, heading]) =>
    section(
      heading,
      notes.filter((note) => note.level === level).map((note) => `  ${formatNote(note)}`)
    )
  )
  return [
    `${dir} behaves like LoopBack ${version} (${env})`,
    ...section(`REST API at ${served.paths.join(', ') || 'no path'}: ${served.models.length} models`, modelLines),
    ...section(
      'Data sources',
      served.dataSources.map(({ name, connector }) => `  ${name} (${connector})`)
    ),
    ...section(
      'Middleware',
      served.middleware.map((name) => `  ${name}`)
    ),
    ...sections
  ].join('\n')
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines]
}

/** A note as one line. */
export function formatNote({ file, key, reason, missingPackage }: Note): string {
  const advice = missingPackage === undefined ? '' : `: npm install ${missingPackage}`
  return `${key === undefined ? file : `${file}: ${key}`}: ${reason}${advice}`
}
