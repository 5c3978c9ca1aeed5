export function generateTypes(document: object): Promise<string>;
