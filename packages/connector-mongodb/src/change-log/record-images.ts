import type { ServerKind } from '../client/server-kind.ts'

/** Of MongoDB 6.0: the server keeps records as they were before their changes. */
const version60 = 17

/** True where the server can keep records as they were before and after each change. */
export const hasImages = ({ isReplicated, wireVersion }: ServerKind): boolean =>
  isReplicated && wireVersion >= version60

/** The option of a collection whose changes are logged. */
export const imagesOption = { changeStreamPreAndPostImages: { enabled: true } } as const

/** The options of a collection have it. */
export function keepsImages(options: Readonly<Record<string, unknown>>): boolean {
  return Reflect.get(Object(options['changeStreamPreAndPostImages']), 'enabled') === true
}
