import { type Static, Type } from '@sinclair/typebox'
import { grantNames } from './grants/grant-names.ts'
import { optionTable } from './options/option-table.ts'

const { description } = optionTable.supportedGrantTypes
const names = Type.Union(grantNames.map((name) => Type.Literal(name)))
const supportedGrantTypes = Type.Optional(Type.Array(names, { ...(description !== undefined && { description }) }))

/** Options of the plugin `oauth2`. Those of loopback-component-oauth2 keep their names. */
export const OAuth2OptionsSchema = Type.Object({ ...optionTable, supportedGrantTypes }, { additionalProperties: false })
export type OAuth2Options = Static<typeof OAuth2OptionsSchema>
