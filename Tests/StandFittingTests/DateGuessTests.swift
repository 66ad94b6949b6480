import Testing
import TextFormats
import Tills
