export * from '@modelwire/test-apps'
