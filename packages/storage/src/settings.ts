import { InvalidOption, problemOf } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Client } from 'minio'
import { isSet, UploadSettingsSchema } from './uploads/upload-settings.ts'

/** The default provider. */
export const defaultProvider = 'filesystem'
/** The default region. */
export const defaultRegion = 'us-east-1'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** Settings of the storage connector. Others are ignored, so that LoopBack's `datasources.json` can be used as it is. */
export const StorageSettingsSchema = Type.Object(
  {
    provider: Type.Optional(
      Type.Union([Type.Literal('filesystem'), Type.Literal('amazon')], {
        default: defaultProvider,
        description: 'storage of the files: folders, or an S3-compatible store'
      })
    ),
    root: text('`filesystem`: the folder that holds the containers, relative to the working directory'),
    keyId: text('`amazon`: access key id; also `accessKeyId`'),
    accessKeyId: text('`amazon`: alias of `keyId`'),
    key: text('`amazon`: secret access key; also `accessKey`'),
    accessKey: text('`amazon`: alias of `key`'),
    sessionToken: text('`amazon`: session token of temporary credentials'),
    region: Type.Optional(
      Type.String({ minLength: 1, default: defaultRegion, description: '`amazon`: region of the buckets' })
    ),
    endpoint: text('`amazon`: URL of another store, such as `http://localhost:9000`; https unless it says otherwise'),
    forcePathBucket: Type.Optional(
      Type.Boolean({
        description: '`amazon`: the bucket is part of the path; the default if there is an `endpoint`'
      })
    ),
    client: Type.Optional(Type.Unsafe<Client>(Type.Object({}, { description: '`amazon`: a `minio` client to use' }))),
    inlineTypes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'media types that browsers may display; other files are downloaded. Images except SVG, audio, video, plain text and PDF by default'
      })
    ),
    ...UploadSettingsSchema.properties
  },
  { emptyIsAbsent: true }
)

/** Settings of the storage connector. */
export type StorageSettings = Static<typeof StorageSettingsSchema>

const names = Object.keys(StorageSettingsSchema.properties)

/**
 * Picks the connector's own settings from those of a data source.
 * @throws {InvalidOption} a setting has the wrong type, or there is no such provider
 */
export function readSettings(settings: Readonly<Record<string, unknown>>): StorageSettings {
  const present = Object.fromEntries(
    names.map((name) => [name, settings[name]] as const).filter(([, value]) => isSet(value))
  )
  const { provider } = present
  if (provider !== undefined && provider !== 'filesystem' && provider !== 'amazon')
    throw new InvalidOption(`unknown storage provider "${String(provider)}": use filesystem or amazon`, {
      key: 'provider'
    })
  if (Value.Check(StorageSettingsSchema, present)) return present
  const { key = '', expected = 'malformed' } = problemOf(StorageSettingsSchema, present) ?? {}
  throw new InvalidOption(`the setting "${key}" of the storage is invalid: ${expected}`, { key })
}
