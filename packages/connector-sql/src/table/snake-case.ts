import type { Database } from '../dialect.ts'

/** The name in lower case, its words joined by underscores: `createdAt` is `created_at`, `HTTPRoute` is `http_route`. */
export const snakeCase = (name: string): string =>
  name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_')
    .replace(/[^\p{L}\p{N}_$]+/gu, '_')
    .toLowerCase()

/** The database with tables and columns in snake_case where models do not name them. */
export const inSnakeCase = (database: Database): Database => ({
  ...database,
  dialect: { ...database.dialect, defaultName: snakeCase }
})
