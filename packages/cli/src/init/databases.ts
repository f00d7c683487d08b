/** A database that a new project stores its records in. */
export interface NewDatabase {
  /** As the option and `datasources.json` name it. */
  readonly name: string
  /** What people call it. */
  readonly title: string
  /** An address for the README. */
  readonly example: string
  /** The setting that the address is. */
  readonly setting: 'url' | 'file'
  /** Ids that the database makes are texts. */
  readonly makesTexts: boolean
}

/** Records in memory, until another database is chosen. */
const memory: NewDatabase = { name: 'memory', title: 'memory', example: '', setting: 'file', makesTexts: false }

const url = (name: string, title: string, makesTexts = false): NewDatabase => ({
  name,
  title,
  example: `${name}://localhost/notes`,
  setting: 'url',
  makesTexts
})

/** The databases that a project can be made for, the default first. */
export const databases: readonly [NewDatabase, ...NewDatabase[]] = [
  memory,
  url('mongodb', 'MongoDB', true),
  url('mysql', 'MySQL'),
  url('postgresql', 'PostgreSQL'),
  { name: 'sqlite', title: 'SQLite', example: 'notes.db', setting: 'file', makesTexts: false }
]

/** True for the default, which needs no address. */
export const isMemory = ({ name }: NewDatabase): boolean => name === memory.name

/** The package of a database's connector. */
export const packageOf = ({ name }: NewDatabase): string => `@modelwire/connector-${name}`
