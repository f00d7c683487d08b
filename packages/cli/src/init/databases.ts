/** A database that a new project can use. */
export interface NewDatabase {
  /** Its name in the option and in `datasources.json`. */
  readonly name: string
  /** Its display name. */
  readonly title: string
  /**
   * An example URL for the README of a project.
   * @param project its name
   */
  readonly example: (project: string) => string
  /** The setting that contains the URL. */
  readonly setting: 'url' | 'file'
  /** The database generates string ids. */
  readonly makesTexts: boolean
  /** Settings of the data source in addition to the URL: LoopBack's tables have other names, and no foreign keys. */
  readonly settings: Readonly<Record<string, string | boolean>>
}

const ofTables = { naming: 'snake_case', foreignKeysFromRelations: true }

/** Records in memory, until another database is chosen. */
const memory: NewDatabase = {
  name: 'memory',
  title: 'memory',
  example: () => '',
  setting: 'file',
  makesTexts: false,
  settings: {}
}

const url = (name: string, title: string): NewDatabase => ({
  name,
  title,
  example: (project) => `${name}://localhost/${project.replaceAll(/\W/g, '_')}`,
  setting: 'url',
  makesTexts: false,
  settings: ofTables
})

/** The databases that a project can be made for, the default first. */
export const databases: readonly [NewDatabase, ...NewDatabase[]] = [
  memory,
  { ...url('mongodb', 'MongoDB'), makesTexts: true, settings: {} },
  url('mysql', 'MySQL'),
  url('postgresql', 'PostgreSQL'),
  {
    name: 'sqlite',
    title: 'SQLite',
    example: (project) => `${project}.db`,
    setting: 'file',
    makesTexts: false,
    settings: ofTables
  }
]

/** True for the default, which needs no URL. */
export const isMemory = ({ name }: NewDatabase): boolean => name === memory.name

/** The package of a database's connector. */
export const packageOf = ({ name }: NewDatabase): string => `@modelwire/connector-${name}`
