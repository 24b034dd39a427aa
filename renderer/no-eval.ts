import { z } from "zod";

// zod's compiled parsers need eval, which the content security policy forbids.
// In a file of its own, so that it runs before any schema is made.
z.config({ jitless: true });
