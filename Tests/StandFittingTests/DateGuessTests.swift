import Testing
import TextFormats
