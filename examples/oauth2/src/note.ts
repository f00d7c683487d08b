import { defineModel, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'

/** A note. Its owner comes from the access token, never from the client. */
export const Note = defineModel(
  'Note',
  Type.Object({
    text: Type.String({ minLength: 1, maxLength: 500 }),
    userId: Type.Optional(Type.String({ index: true })),
    written: Type.Optional(Type.Date({ defaultFn: 'now' }))
  }),
  { public: true }
)

declare module '@modelwire/core' {
  /** Makes `app.models.Note` known to TypeScript. */
  interface Models extends ModelsOf<{ Note: typeof Note }> {}
}
