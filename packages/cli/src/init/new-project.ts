import { isMemory, type NewDatabase } from './databases.ts'

/** The two ways to declare models. */
export const styles = ['typebox', 'json'] as const
/** `typebox`: models in TypeScript. `json`: the folder of LoopBack 3. */
export type Style = (typeof styles)[number]

/** What the files of a new project are generated from. */
export interface NewProject {
  /** A valid npm package name. */
  readonly name: string
  /** The range of versions of a package that the project depends on, such as `^1.2.0`. */
  readonly rangeOf: (packageName: string) => string
  /** Where its records are stored. */
  readonly database: NewDatabase
}

/** The files of a project by their paths. */
export type ProjectFiles = Readonly<Record<string, string>>

/** Formats a value as a JSON file. */
export const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** The ranges of packages by their names. */
export const ranges = (names: readonly string[], { rangeOf }: NewProject): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, rangeOf(name)]))

/** The README section on configuring the database of a new project; empty if records are in memory. */
export const databaseUse = ({ name, database }: NewProject, production = ''): string =>
  isMemory(database)
    ? ''
    : `
Records are in memory until \`DATABASE_URL\` says where ${database.title} is, and the tests leave it out:

\`\`\`sh
export DATABASE_URL=${database.example(name)}${production}
npx modelwire migrate .   # collections or tables, and indexes
npm start
\`\`\`
`

/** The README section on calling the API of a new project. */
export const usage = `Notes belong to the account that creates them. Sign up, log in, and send the id of the token along:

\`\`\`sh
curl localhost:3000/api/Accounts -H 'content-type: application/json' -d '{"email":"ann@example.org","password":"correct horse battery"}'
curl localhost:3000/api/Accounts/login -H 'content-type: application/json' -d '{"email":"ann@example.org","password":"correct horse battery"}'
curl localhost:3000/api/Notes -H 'content-type: application/json' -H 'authorization: Bearer <id>' -d '{"text":"Buy milk"}'
\`\`\`

A typed client is made from the document of the API:

\`\`\`sh
npx modelwire openapi . > api.json && npx openapi-typescript api.json -o api.d.ts
\`\`\`
`
