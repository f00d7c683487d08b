import { type Static, Type } from '@sinclair/typebox'

/** Options of `seed`. */
export const SeedOptionsSchema = Type.Object(
  {
    only: Type.Optional(
      Type.Array(Type.String(), { description: 'names of files without their endings; all of them when absent' })
    ),
    environment: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'the folder of this name within that of the seeds counts as well; NODE_ENV, else development, when absent'
      })
    ),
    dryRun: Type.Optional(
      Type.Boolean({ default: false, description: 'store nothing, and report what would be done; scripts are not run' })
    ),
    reset: Type.Optional(
      Type.Boolean({ default: false, description: 'first delete all records of the models that have files' })
    ),
    force: Type.Optional(Type.Boolean({ default: false, description: 'allow `reset` in production' }))
  },
  { additionalProperties: false }
)

type Written = Static<typeof SeedOptionsSchema>

/** Options of `seed`. */
export type SeedOptions = { readonly [Name in keyof Written]: Written[Name] | undefined }
