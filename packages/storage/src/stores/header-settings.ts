import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'

/** A setting with the type that applications see; results of functions are validated when they are called. */
export const setting = <Value>(schema: TSchema): TOptional<TUnsafe<Value | undefined>> =>
  Type.Optional(Type.Unsafe<Value | undefined>(schema))

/** A setting that becomes the header `header` of an object in a store. */
const headerSetting = (header: string, description: string) =>
  setting<string>(Type.String({ minLength: 1, header, description: `\`amazon\`: ${description}` }))

/** Settings that become headers of objects in a store. */
export const HeaderSettingsSchema = Type.Object({
  StorageClass: headerSetting('x-amz-storage-class', 'storage class of uploaded files'),
  CacheControl: headerSetting('cache-control', '`Cache-Control` of uploaded files'),
  ServerSideEncryption: headerSetting('x-amz-server-side-encryption', 'server-side encryption of uploaded files'),
  SSEKMSKeyId: headerSetting('x-amz-server-side-encryption-aws-kms-key-id', 'id of the key for that encryption')
})

/** An object's headers in a store. */
export type HeaderSettings = Static<typeof HeaderSettingsSchema>

const isText = (value: unknown): value is string => typeof value === 'string'

const headers: ReadonlyMap<string, unknown> = new Map(
  Object.entries<TSchema>(HeaderSettingsSchema.properties).map(([name, { header }]) => [name, header])
)

/** The headers that an object gets from settings such as `StorageClass`. */
export function storeHeaders(settings: HeaderSettings): Record<string, string> {
  const own = Object.entries(settings).map(([name, value]) => [headers.get(name), value] as const)
  return Object.fromEntries(own.filter((pair): pair is readonly [string, string] => pair.every(isText)))
}
