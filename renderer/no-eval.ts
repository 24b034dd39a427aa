import { z } from "zod";

// zod's compiled parsers need eval, which the content security policy forbids. A separate file, so that it runs before
// any schema is created.
z.config({ jitless: true });
