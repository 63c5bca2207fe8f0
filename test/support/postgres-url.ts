/** Where the PostgreSQL of the tests is. */
export const postgresUrl = process.env.RESTANTE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test'
