import { Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const

/** Options that every resource server has, whether it is the authorization server, too, or not. */
export const protectionOptions = {
  addHttpHeaders: Type.Optional(
    Type.Union([Type.Boolean(), Type.String()], {
      description: 'adds X-OAUTH2-CLIENT-ID and X-OAUTH2-USER-ID to requests; a text is another prefix'
    })
  ),
  realm: Type.Optional(Type.String({ description: 'realm of challenges' })),
  tokenInQuery: Type.Optional(
    Type.Boolean({
      description: 'reads access_token from the query, too; it ends up in logs; false when absent (compat: true)'
    })
  ),
  unmapped: Type.Optional(
    Type.Union([Type.Literal('deny'), Type.Literal('allow')], {
      description:
        "what clients may do where no scope is asked for: routes that no mapping of authenticate covers and methods of models; LoopBack's component allows them; deny when absent (compat: allow for methods)"
    })
  ),
  scopeMappings: Type.Optional(
    Type.Record(Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 })), {
      description:
        'by scope, the operations that it opens: Product.find, Product.*, Product:READ; all others are closed'
    })
  ),
  openOperations: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'operations that need no token where scopeMappings are used'
    })
  ),
  protectAccounts: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'clients change no users, roles and rules, unless scopeMappings say so'
    })
  ),
  resourceMetadata: Type.Optional(
    Type.Union(
      [
        Type.Literal(false),
        Type.Object(
          {
            name: Type.Optional(Type.String({ description: 'name of the resource, for people' })),
            documentation: Type.Optional(Type.String({ description: 'address of a page for developers' })),
            scopes: Type.Optional(
              Type.Array(Type.String(), {
                description: 'scopes that tokens for it may have; those of scopeMappings when absent'
              })
            )
          },
          closed
        )
      ],
      { description: 'what RFC 9728 publishes of this resource; false: nothing' }
    )
  )
}
